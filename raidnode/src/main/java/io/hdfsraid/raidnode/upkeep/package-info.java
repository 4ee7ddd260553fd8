/**
 * Jobs that keep protected files in order: reconcile, audit placement, quarantine, withdraw, clean
 * up, check group members.
 */
package io.hdfsraid.raidnode.upkeep;
