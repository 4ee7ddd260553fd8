// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.hdfs;

import java.nio.ByteBuffer;
import org.apache.hadoop.io.MD5Hash;
import org.apache.hadoop.util.DataChecksum;

/**
 * The checksum of a block as a DataNode answers it.
 *
 * @param type of the checksums of its chunks
 * @param bytesPerCrc bytes of a chunk
 * @param crcPerBlock how many chunks it has
 * @param bytes the CRC of the block, or the MD5 of the CRCs of its chunks, as was asked for
 */
record BlockChecksum(DataChecksum.Type type, int bytesPerCrc, long crcPerBlock, ByteBuffer bytes) {
  /** Whether it is a CRC, and no MD5. */
  boolean isCrc() {
    return bytes.remaining() == Integer.BYTES;
  }

  int crc() {
    return bytes.duplicate().getInt();
  }

  MD5Hash md5() {
    byte[] digest = new byte[bytes.remaining()];
    bytes.duplicate().get(digest);
    return new MD5Hash(digest);
  }
}
