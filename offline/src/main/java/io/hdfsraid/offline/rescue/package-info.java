/** What is done on HDFS itself when no RaidNode runs: look, repair, and copy files out. */
package io.hdfsraid.offline.rescue;
