/**
 * What sources tell of a namespace: inodes as an image has them, changes of them, accesses to them.
 * Knows neither HDFS nor how any of it is kept.
 */
package io.hdfsraid.raidnode.namespace;
