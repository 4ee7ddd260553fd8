/** The embedded HDFS of a benchmark, its source files and its byte counters. */
package io.hdfsraid.bench.cluster;
