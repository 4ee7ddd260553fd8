/** Writes down who changed what and why, in a log of its own and on HDFS. */
package io.hdfsraid.raidnode.audit;
