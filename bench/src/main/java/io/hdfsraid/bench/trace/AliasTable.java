// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.trace;

import java.util.SplittableRandom;

/**
 * Draws numbers with given probabilities, in constant time: Vose, "A linear algorithm for
 * generating random numbers with a given distribution", IEEE Transactions on Software Engineering
 * 17(9), 1991.
 */
final class AliasTable {
  private final double[] threshold;
  private final int[] alias;
  private final int[] work;
  private int size;

  /**
   * @param most weights that it will ever have
   */
  AliasTable(int most) {
    this.threshold = new double[most];
    this.alias = new int[most];
    this.work = new int[most];
  }

  /**
   * @param weights 0 or more, of which the first {@code count} are meant, and one at least is not 0
   */
  void fill(double[] weights, int count) {
    size = count;
    double sum = 0;
    for (int i = 0; i < count; i++) {
      sum += weights[i];
    }
    // Those below the average from the left, the others from the right.
    int small = 0;
    int large = count;
    for (int i = 0; i < count; i++) {
      threshold[i] = weights[i] / sum * count;
      alias[i] = i;
      if (threshold[i] < 1) {
        work[small++] = i;
      } else {
        work[--large] = i;
      }
    }
    while (small > 0 && large < count) {
      int less = work[--small];
      int more = work[large];
      alias[less] = more;
      threshold[more] -= 1 - threshold[less];
      if (threshold[more] < 1) {
        large++;
        work[small++] = more;
      }
    }
    // What is left is 1, but for rounding.
    while (small > 0) {
      threshold[work[--small]] = 1;
    }
    while (large < count) {
      threshold[work[large++]] = 1;
    }
  }

  int draw(SplittableRandom random) {
    double place = random.nextDouble() * size;
    int column = Math.min((int) place, size - 1);
    return place - column < threshold[column] ? column : alias[column];
  }
}
