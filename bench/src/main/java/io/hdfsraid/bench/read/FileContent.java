// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.read;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.apache.hadoop.fs.Path;

/**
 * The bytes of the files of the benchmark. They repeat with a period that is no multiple of a block
 * or cell, and each file begins elsewhere in the period, so that a wrong unit is noticed.
 */
final class FileContent {
  private static final int PERIOD = 1_048_583; // a prime, a little more than 1 MiB
  private static final long SEED = 14978;

  private final byte[] period = new byte[PERIOD];

  FileContent() {
    new SplittableRandom(SEED).nextBytes(period);
  }

  void write(Path file, long length, OutputStream out) throws IOException {
    for (long position = 0; position < length; ) {
      int from = from(file, position);
      int count = (int) Math.min(PERIOD - from, length - position);
      out.write(period, from, count);
      position += count;
    }
  }

  /**
   * Compares what was read with what was written.
   *
   * @param position in the file, of the first byte
   * @throws IOException if it is not the same
   */
  void check(Path file, long position, byte[] read, int count) throws IOException {
    for (int done = 0; done < count; ) {
      int from = from(file, position + done);
      int same = Math.min(PERIOD - from, count - done);
      int wrong = Arrays.mismatch(read, done, done + same, period, from, from + same);
      if (wrong >= 0) {
        throw new IOException(
            "Byte %d of %s is not what was written".formatted(position + done + wrong, file));
      }
      done += same;
    }
  }

  private static int from(Path file, long position) {
    return (int) ((position + Math.floorMod(file.hashCode(), PERIOD)) % PERIOD);
  }
}
