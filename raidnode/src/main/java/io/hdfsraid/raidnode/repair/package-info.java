/** Finds stripes that have lost units and repairs the most urgent ones first. */
package io.hdfsraid.raidnode.repair;
