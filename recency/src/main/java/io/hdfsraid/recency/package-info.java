/**
 * Keeps an index of all files of an HDFS, and knows when each of them was last read. {@link
 * io.hdfsraid.recency.Recency} joins the parts: image, edit log, audit logs and listings go into
 * the index, and each source is watched for gaps.
 */
package io.hdfsraid.recency;
