package io.hdfsraid.offline.demo;

import io.hdfsraid.offline.output.Progress;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.CRC32C;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** CRC32C of files as a client reads them. */
final class Checksum {
  private static final int BUFFER = 256 << 10;

  private Checksum() {}

  static long of(FileSystem fs, String path, Progress progress) throws IOException {
    CRC32C crc = new CRC32C();
    byte[] buffer = new byte[BUFFER];
    try (InputStream in = fs.open(new Path(path))) {
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        crc.update(buffer, 0, n);
        progress.step(n);
      }
    }
    return crc.getValue();
  }
}
