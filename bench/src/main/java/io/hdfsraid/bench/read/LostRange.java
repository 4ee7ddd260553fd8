// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.read;

/**
 * A range of a file whose bytes no DataNode has.
 *
 * @param from position in the file
 * @param to end, exclusive
 */
record LostRange(long from, long to) {
  LostRange {
    if (from < 0 || to <= from) {
      throw new IllegalArgumentException("No range: %d to %d".formatted(from, to));
    }
  }

  long length() {
    return to - from;
  }
}
