// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.trace;

import java.util.Arrays;
import java.util.List;

/**
 * A number of misses that nobody can stay below, whatever the sizes of files: PFOO-L of Berger,
 * Beckmann and Harchol-Balter, "Practical Bounds on Optimal Caching with Variable Object Sizes",
 * Proceedings of the ACM on Measurement and Analysis of Computing Systems 2(2), 2018. For a read to
 * be a hit, the file must have been hot since its use before: that occupies its bytes for so many
 * steps. All hits together cannot occupy more than there is room, summed over all steps; the
 * cheapest are taken first. Here costs are sorted into classes that differ by less than 1 %, and
 * the last class counts as if all in it cost the least of them, which keeps it a bound.
 */
final class LeastMisses {
  /** A float with so few bits of its fraction that 16 are left. */
  private static final int DROPPED_BITS = 15;

  private static final int CLASSES = 1 << (Integer.SIZE - DROPPED_BITS);

  private final double[] value = new double[CLASSES];
  private final double[] cost = new double[CLASSES];
  private final double[] least = new double[CLASSES];
  private double all;
  private double bytes;

  private LeastMisses() {
    Arrays.fill(least, Double.POSITIVE_INFINITY);
  }

  /** For misses that are counted. */
  static LeastMisses ofReads(Trace trace) {
    return new LeastMisses().over(trace, size -> 1);
  }

  /** For misses that are weighed by their bytes. */
  static LeastMisses ofBytes(Trace trace) {
    return new LeastMisses().over(trace, size -> size);
  }

  /** What a hit is worth. */
  @FunctionalInterface
  private interface Worth {
    double of(long size);
  }

  private LeastMisses over(Trace trace, Worth worth) {
    Workload workload = trace.workload();
    int[] before = new int[trace.files()];
    int step = 0;
    double allBytes = 0;
    for (int file = 0; file < workload.filesAt(workload.watched(), 0); file++) {
      allBytes += trace.size(file);
    }
    bytes = allBytes;
    List<Day> measured = trace.days().subList(workload.watched(), workload.allDays());
    for (Day day : measured) {
      for (int i = 0; i < day.size(); i++) {
        step++;
        int file = day.file(i);
        long size = trace.size(file);
        if (day.use(i) == Use.WRITTEN) {
          allBytes += size;
        } else {
          add(worth.of(size), (double) size * (step - before[file]));
        }
        before[file] = step;
        bytes += allBytes;
      }
    }
    return this;
  }

  private void add(double worth, double price) {
    int index = Float.floatToIntBits((float) (price / worth)) >>> DROPPED_BITS;
    value[index] += worth;
    cost[index] += price;
    least[index] = Math.min(least[index], price / worth);
    all += worth;
  }

  /** In per cent of all reads, or of their bytes. */
  double missRatio(int percent) {
    double room = bytes * percent / 100;
    double hits = 0;
    for (int i = 0; i < CLASSES; i++) {
      if (cost[i] > room) {
        hits += Math.min(value[i], room / least[i]);
        break;
      }
      room -= cost[i];
      hits += value[i];
    }
    return 100 * (1 - hits / all);
  }
}
