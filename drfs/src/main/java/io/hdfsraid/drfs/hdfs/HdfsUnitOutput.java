// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.hdfs;

import io.hdfsraid.drfs.parity.UnitOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.fs.FSDataOutputStream;

/** Writes one parity unit. Refuses more bytes than announced, which would start a second block. */
final class HdfsUnitOutput implements UnitOutput {
  private static final int COPY_BYTES = 64 << 10;

  private final FSDataOutputStream out;
  private final String path;
  private long left;

  HdfsUnitOutput(FSDataOutputStream out, String path, long length) {
    this.out = out;
    this.path = path;
    this.left = length;
  }

  @Override
  public void write(ByteBuffer bytes) throws IOException {
    if (bytes.remaining() > left) {
      throw new IOException(
          "%s was announced %d bytes shorter than what is written to it"
              .formatted(path, bytes.remaining() - left));
    }
    left -= bytes.remaining();
    if (bytes.hasArray()) {
      out.write(bytes.array(), bytes.arrayOffset() + bytes.position(), bytes.remaining());
      bytes.position(bytes.limit());
    } else {
      byte[] copy = new byte[Math.min(COPY_BYTES, bytes.remaining())];
      while (bytes.hasRemaining()) {
        int length = Math.min(copy.length, bytes.remaining());
        bytes.get(copy, 0, length);
        out.write(copy, 0, length);
      }
    }
  }

  @Override
  public void close() throws IOException {
    out.close();
  }
}
