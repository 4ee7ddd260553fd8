/** The ports of this module on Hadoop: NameNode, DataNodes and parity files of a real HDFS. */
package io.hdfsraid.drfs.hdfs;
