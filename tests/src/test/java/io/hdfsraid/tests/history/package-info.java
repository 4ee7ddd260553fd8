/**
 * Random histories of a cluster under the daemon, held against a model of what must be readable.
 * One seed is one history; the same histories run in memory and on a real HDFS.
 */
package io.hdfsraid.tests.history;
