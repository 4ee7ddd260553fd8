/** Wires the jobs of one daemon to one cluster and one catalog. */
package io.hdfsraid.raidnode.job;
