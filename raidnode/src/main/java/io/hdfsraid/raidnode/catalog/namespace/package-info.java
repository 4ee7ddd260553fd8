/**
 * A notebook about a whole namespace, at the size of a real NameNode: which files there are, where,
 * and when they were last used. In RocksDB, in a folder of its own. All of it can be found out
 * again from HDFS.
 */
package io.hdfsraid.raidnode.catalog.namespace;
