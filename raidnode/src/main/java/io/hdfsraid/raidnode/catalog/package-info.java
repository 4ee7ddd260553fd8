/**
 * Stores what the daemon remembers between restarts, in RocksDB. HDFS is the truth: everything here
 * can be found again, and losing the catalog costs one scan.
 */
package io.hdfsraid.raidnode.catalog;
