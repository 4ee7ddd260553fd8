package io.hdfsraid.drfs.hdfs;

import org.apache.hadoop.util.DataChecksum;

/**
 * The checksum of a block as a DataNode answers it.
 *
 * @param type of the checksums of its chunks
 * @param bytesPerCrc bytes of a chunk
 * @param crcPerBlock how many chunks it has
 * @param bytes the CRC of the block, or the MD5 of the CRCs of its chunks, as was asked for
 */
record BlockChecksum(DataChecksum.Type type, int bytesPerCrc, long crcPerBlock, byte[] bytes) {}
