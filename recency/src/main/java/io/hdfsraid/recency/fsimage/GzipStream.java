// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.fsimage;

import java.io.IOException;
import java.io.InputStream;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/** Decompresses consecutive gzip streams up to the end. */
final class GzipStream extends GZIPInputStream {
  private static final int TRAILER = 8;

  GzipStream(InputStream compressed) throws IOException {
    super(compressed, 1 << 16);
  }

  /** Java treats invalid bytes after a stream as the end of all streams. */
  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    int read = super.read(bytes, offset, length);
    if (read < 0 && (inf.getRemaining() > TRAILER || in.available() > 0)) {
      throw new ZipException("After a gzip stream follows something that is no gzip stream");
    }
    return read;
  }
}
