package io.hdfsraid.raidnode.fsimage;

import java.io.IOException;
import java.io.InputStream;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/** The content of gzip streams that follow each other, to the end. */
final class GzipStream extends GZIPInputStream {
  private static final int TRAILER = 8;

  GzipStream(InputStream compressed) throws IOException {
    super(compressed, 1 << 16);
  }

  /** Java takes what it does not understand after a stream for the end of all of them. */
  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    int read = super.read(bytes, offset, length);
    if (read < 0 && (inf.getRemaining() > TRAILER || in.available() > 0)) {
      throw new ZipException("After what is compressed comes what is not as gzip writes it");
    }
    return read;
  }
}
