/**
 * What the daemon transfers and how fast it may: bytes and streams of DataNodes, calls of the
 * NameNode, by purpose. All bounds can be changed while transfers run.
 */
package io.hdfsraid.raidnode.traffic;
