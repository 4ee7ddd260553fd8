// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.fsimage;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Objects;

/** The bytes of a section in the file. The stream does not close the file. */
final class SectionStream extends InputStream {
  private final FileChannel file;
  private final long end;
  private long position;

  SectionStream(FileChannel file, ImageSection section) {
    this.file = file;
    this.position = section.offset();
    this.end = section.end();
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, bytes.length);
    if (length == 0) {
      return 0;
    }
    if (position == end) {
      return -1;
    }
    int wanted = (int) Math.min(length, end - position);
    int read = file.read(ByteBuffer.wrap(bytes, offset, wanted), position);
    if (read > 0) {
      position += read;
    }
    return read;
  }

  @Override
  public int available() {
    return (int) Math.min(Integer.MAX_VALUE, end - position);
  }
}
