/** Retired parity that is kept for a while. */
package io.hdfsraid.raidapi.quarantine;
