/**
 * Answers the REST API about one feature. The operating mode: paused, withdrawing, withdrawn; and
 * the footprint on HDFS.
 */
package io.hdfsraid.raidnode.rest.mode;
