/** Checks all stripes in the background, at a limited rate. */
package io.hdfsraid.raidnode.scrub;
