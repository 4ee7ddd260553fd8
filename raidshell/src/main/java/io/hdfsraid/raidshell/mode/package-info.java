/** Commands about the operating mode and the footprint on HDFS. */
package io.hdfsraid.raidshell.mode;
