/** The operating mode: paused, withdrawing, withdrawn; and the footprint on HDFS. */
package io.hdfsraid.raidapi.mode;
