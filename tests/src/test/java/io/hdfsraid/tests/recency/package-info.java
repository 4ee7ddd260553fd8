/** What HDFS tells of changes and reads, and that nothing of it is lost on the way. */
package io.hdfsraid.tests.recency;
