/**
 * Connects the daemon to HDFS: the lease of the owner, the holders of blocks, and the listing of
 * files.
 */
package io.hdfsraid.raidnode.hdfs;
