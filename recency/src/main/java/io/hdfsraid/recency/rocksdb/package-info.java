/** RocksDB for the rest of the product: the only package that imports its classes. */
package io.hdfsraid.recency.rocksdb;
