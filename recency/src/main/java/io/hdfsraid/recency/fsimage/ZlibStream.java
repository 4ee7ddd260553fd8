// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.fsimage;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import java.util.zip.ZipException;

/**
 * Decompresses consecutive zlib streams up to the end; {@link java.util.zip.InflaterInputStream}
 * stops after the first.
 */
final class ZlibStream extends InputStream {
  private final InputStream compressed;
  private final Inflater inflater = new Inflater();
  private final byte[] buffer = new byte[1 << 16];
  private int filled;

  ZlibStream(InputStream compressed) {
    this.compressed = compressed;
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
    try {
      while (true) {
        int inflated = inflater.inflate(bytes, offset, length);
        if (inflated > 0) {
          return inflated;
        }
        if (inflater.needsDictionary()) {
          throw new ZipException("The stream needs a dictionary, which is missing");
        }
        if (inflater.finished()) {
          if (!another()) {
            return -1;
          }
        } else if (!fill()) {
          throw new EOFException("The file ends inside a compressed stream");
        }
      }
    } catch (DataFormatException e) {
      throw (ZipException) new ZipException("The bytes are no zlib stream").initCause(e);
    }
  }

  private boolean another() throws IOException {
    int left = inflater.getRemaining();
    inflater.reset();
    if (left > 0) {
      inflater.setInput(buffer, filled - left, left);
      return true;
    }
    return fill();
  }

  private boolean fill() throws IOException {
    int read = compressed.read(buffer);
    if (read < 0) {
      return false;
    }
    filled = read;
    inflater.setInput(buffer, 0, read);
    return true;
  }

  @Override
  public void close() throws IOException {
    inflater.end();
    compressed.close();
  }
}
