/**
 * What the daemon remembers between restarts, in RocksDB. HDFS is the truth and this a notebook:
 * whatever is in here can be found out again, and losing it costs a scan.
 */
package io.hdfsraid.raidnode.catalog;
