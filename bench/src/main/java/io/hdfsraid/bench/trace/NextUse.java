// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.trace;

import java.util.Arrays;
import java.util.List;

/**
 * Foresight: colder is what is read again later, or never. Of files of one size that is the
 * optimum: Belady, "A study of replacement algorithms for a virtual-storage computer", IBM Systems
 * Journal 5(2), 1966. Where sizes differ it is not, see {@link LeastMisses}: by bytes it is close,
 * but fewer reads are missed by who raids large files rather than small ones.
 */
final class NextUse implements Temperature {
  /** By position in the trace: the position of the next use of that file. */
  private final int[] next;

  /** By file: its first use in the trace. */
  private final int[] first;

  private final double[] key;

  NextUse(Trace trace) {
    this.next = new int[trace.uses()];
    this.first = new int[trace.files()];
    this.key = new double[trace.files()];
    Arrays.fill(first, Integer.MAX_VALUE);
    List<Day> days = trace.days();
    int position = next.length;
    for (int day = days.size() - 1; day >= 0; day--) {
      for (int i = days.get(day).size() - 1; i >= 0; i--) {
        int file = days.get(day).file(i);
        next[--position] = first[file];
        first[file] = position;
      }
    }
  }

  @Override
  public void used(int file, long at, int position) {
    key[file] = -(double) (position == BEFORE ? first[file] : next[position]);
  }

  @Override
  public double of(int file) {
    return key[file];
  }
}
