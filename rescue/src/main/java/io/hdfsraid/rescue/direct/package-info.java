/**
 * Operations on HDFS itself when no RaidNode runs: check, repair, and copy files out; and the
 * histogram of an fsimage.
 */
package io.hdfsraid.rescue.direct;
