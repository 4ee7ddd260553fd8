/** The ports of this module on Hadoop: deliveries, moves, reports to and from the NameNode. */
package io.hdfsraid.blockfixer.hdfs;
