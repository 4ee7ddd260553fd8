/**
 * Values that describe a namespace: inodes, changes of them, accesses to them. This package knows
 * neither HDFS nor the index.
 */
package io.hdfsraid.recency.namespace;
