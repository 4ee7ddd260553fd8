// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class AliasTableTest {
  @Test
  void numbersComeAsOftenAsTheirWeightsSay() {
    double[] weights = new double[100];
    double sum = 0;
    for (int i = 1; i < 90; i++) {
      weights[i] = 1.0 / i;
      sum += weights[i];
    }
    AliasTable table = new AliasTable(100);
    table.fill(new double[] {1, 2}, 2);
    table.fill(weights, 90);
    SplittableRandom random = new SplittableRandom(1);
    int[] drawn = new int[100];
    int draws = 1_000_000;
    for (int i = 0; i < draws; i++) {
      drawn[table.draw(random)]++;
    }
    for (int i = 0; i < 100; i++) {
      double expected = i < 90 ? draws * weights[i] / sum : 0;
      // Five standard deviations.
      assertThat((double) drawn[i])
          .as("%d", i)
          .isCloseTo(expected, within(5 * Math.sqrt(expected)));
    }
  }
}
