// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.read;

import java.io.IOException;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;

/** A read of a whole file from the first byte to the last, as a job does that scans it. */
final class WholeRead {
  private static final int BUFFER = 1 << 20;

  private final FileSystem fs;
  private final ReadFile file;

  /** Takes what was read. */
  @FunctionalInterface
  interface Sink {
    void take(long position, byte[] bytes, int count) throws IOException;
  }

  WholeRead(FileSystem fs, ReadFile file) {
    this.fs = fs;
    this.file = file;
  }

  /** Returns how many bytes the file has. */
  long run(Sink sink) throws IOException {
    byte[] buffer = new byte[BUFFER];
    long position = 0;
    try (FSDataInputStream in = fs.open(file.path())) {
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        sink.take(position, buffer, read);
        position += read;
      }
    }
    return position;
  }

  /** Returns the rate in bytes per second, with the open and the close. */
  double rate() throws IOException {
    long start = System.nanoTime();
    long read = run((position, bytes, count) -> {});
    double seconds = (System.nanoTime() - start) / 1e9;
    if (read != file.length()) {
      throw new IOException(
          "%s has %d bytes, but %d were read".formatted(file.path(), file.length(), read));
    }
    return read / seconds;
  }
}
