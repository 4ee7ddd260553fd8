// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.trace;

import java.util.Arrays;

/** The uses of one day in order of time. No two uses have the same millisecond. */
final class Day {
  private final long start;
  private int[] references;
  private int[] millis;
  private int size;

  /**
   * @param start in milliseconds since the trace began
   * @param most uses that it will have
   */
  Day(long start, int most) {
    this.start = start;
    this.references = new int[most];
    this.millis = new int[most];
  }

  /**
   * @param at in milliseconds since the trace began; later, where that moment is taken
   */
  void add(int file, Use use, long at) {
    int offset = (int) (at - start);
    references[size] = (file << Use.BITS) | use.code();
    millis[size] = size == 0 ? offset : Math.max(offset, millis[size - 1] + 1);
    size++;
  }

  void trim() {
    references = Arrays.copyOf(references, size);
    millis = Arrays.copyOf(millis, size);
  }

  int size() {
    return size;
  }

  int file(int which) {
    return references[which] >>> Use.BITS;
  }

  Use use(int which) {
    return Use.of(references[which] & ((1 << Use.BITS) - 1));
  }

  /** In milliseconds since the trace began. */
  long at(int which) {
    return start + millis[which];
  }
}
