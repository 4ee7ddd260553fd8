// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.blockfixer.hdfs;

import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.hdfs.DFSPacket;
import org.apache.hadoop.hdfs.protocol.datatransfer.PacketHeader;
import org.apache.hadoop.util.DataChecksum;

/**
 * Splits a stream of bytes into the packets of the block protocol. Used by one thread at a time.
 */
final class PacketWriter {
  private static final int PACKET_BYTES = 64 * 1024;

  private final DataOutputStream out;
  private final DataChecksum checksum;
  private final int chunks;
  private final byte[] packet;
  private final byte[] sums;
  private final ByteBuffer data;
  private long offset;
  private long sequence;

  PacketWriter(DataOutputStream out, DataChecksum checksum) {
    this.out = out;
    this.checksum = checksum;
    this.chunks = Math.max(1, PACKET_BYTES / (bytesPerChunk() + checksum.getChecksumSize()));
    this.packet =
        new byte
            [PacketHeader.PKT_MAX_HEADER_LEN
                + chunks * (bytesPerChunk() + checksum.getChecksumSize())];
    this.sums = new byte[chunks * checksum.getChecksumSize()];
    this.data = ByteBuffer.allocate(chunks * bytesPerChunk());
  }

  private int bytesPerChunk() {
    return checksum.getBytesPerChecksum();
  }

  /**
   * Takes the bytes from position to limit. Sends only full packets, because chunks must be whole.
   */
  void write(ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      int take = Math.min(bytes.remaining(), data.remaining());
      data.put(bytes.duplicate().limit(bytes.position() + take));
      bytes.position(bytes.position() + take);
      if (!data.hasRemaining()) {
        send();
      }
    }
  }

  /** Sends the remaining bytes and the empty packet that marks the end. */
  void end() throws IOException {
    if (data.position() > 0) {
      send();
    }
    boolean last = true;
    new DFSPacket(packet, 0, offset, sequence++, checksum.getChecksumSize(), last).writeTo(out);
    out.flush();
  }

  private void send() throws IOException {
    int length = data.position();
    int filled = (length + bytesPerChunk() - 1) / bytesPerChunk();
    checksum.calculateChunkedSums(data.array(), 0, length, sums, 0);
    boolean last = false;
    DFSPacket full =
        new DFSPacket(packet, chunks, offset, sequence++, checksum.getChecksumSize(), last);
    full.writeChecksum(sums, 0, filled * checksum.getChecksumSize());
    full.writeData(data.flip(), length);
    full.writeTo(out);
    data.clear();
    offset += length;
  }
}
