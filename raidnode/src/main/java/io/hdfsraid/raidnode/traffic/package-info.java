/**
 * Counts and limits what the daemon transfers, by purpose: bytes and streams of DataNodes, and
 * calls of the NameNode. All limits can be changed while transfers run.
 */
package io.hdfsraid.raidnode.traffic;
