/**
 * The sources of a real HDFS: its image, edit log, access times and listings. The only package of
 * this module that imports Hadoop.
 */
package io.hdfsraid.recency.hdfs;
