/**
 * Raiding a file and letting it go again: encode, prove, commit, reduce, audit; raise, wait,
 * retire. Each step is idempotent and starts from what HDFS shows, never from memory. {@link
 * io.hdfsraid.raidnode.raid.Raider} protects, {@link io.hdfsraid.raidnode.raid.Auditor} spreads,
 * {@link io.hdfsraid.raidnode.raid.Unraider} lets go, {@link io.hdfsraid.raidnode.raid.Guardian}
 * answers what users do to raided files, {@link io.hdfsraid.raidnode.raid.Janitor} cleans up.
 */
package io.hdfsraid.raidnode.raid;
