/**
 * What the daemon asks of HDFS beside stripes and parity: the owner's lease, who holds a block,
 * what files there are.
 */
package io.hdfsraid.raidnode.hdfs;
