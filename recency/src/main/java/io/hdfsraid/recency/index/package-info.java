/**
 * The index of a namespace at the size of a real NameNode: which files there are, where they are,
 * and when each was last used. The index lies in a RocksDB folder of its own. It holds nothing that
 * cannot be read from HDFS again.
 */
package io.hdfsraid.recency.index;
