// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.read;

import java.util.List;
import java.util.Random;
import org.apache.hadoop.fs.Path;

/**
 * A file that is read.
 *
 * @param lost its lost ranges; none if the file is healthy
 */
record ReadFile(Path path, long length, List<LostRange> lost) {
  ReadFile {
    lost = List.copyOf(lost);
  }

  static ReadFile healthy(Path path, long length) {
    return new ReadFile(path, length, List.of());
  }

  /** Returns the start of any of the pieces of this size in the file. */
  long anywhere(Random random, int bytes) {
    return piece(random, new LostRange(0, length), bytes);
  }

  /** Returns the start of any of the pieces of this size in any of the lost ranges. */
  long anyLost(Random random, int bytes) {
    return lostIn(random, random.nextInt(lost.size()), bytes);
  }

  /**
   * Returns the start of any of the pieces of this size in one of the lost ranges. A piece that is
   * longer than the range begins where the range begins.
   */
  long lostIn(Random random, int range, int bytes) {
    return Math.min(piece(random, lost.get(range), bytes), length - bytes);
  }

  /** Returns the start of any of the pieces of this size in a range. */
  static long piece(Random random, LostRange range, int bytes) {
    int pieces = (int) Math.max(1, range.length() / bytes);
    return range.from() + (long) random.nextInt(pieces) * bytes;
  }
}
