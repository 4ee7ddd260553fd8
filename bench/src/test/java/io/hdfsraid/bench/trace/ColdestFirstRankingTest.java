// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Comparator;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class ColdestFirstRankingTest {
  private static final int FILES = 50;

  /** Warmer or colder, as it comes, and often the same. */
  private final double[] keys = new double[FILES];

  private final Temperature temperature =
      new Temperature() {
        @Override
        public void used(int file, long at, int position) {
          keys[file] = at;
        }

        @Override
        public double of(int file) {
          return keys[file];
        }
      };

  @Test
  void theColdestOfNowGoesFirst() {
    SplittableRandom random = new SplittableRandom(5);
    ColdestFirstRanking ranking = new ColdestFirstRanking(temperature, FILES);
    TreeSet<Integer> hot = new TreeSet<>();
    for (int step = 0; step < 100_000; step++) {
      int file = random.nextInt(FILES);
      temperature.used(file, random.nextInt(20), step);
      if (hot.add(file)) {
        ranking.add(file);
      } else {
        ranking.used(file);
      }
      while (hot.size() > random.nextInt(5, FILES)) {
        int coldest =
            hot.stream().min(Comparator.<Integer>comparingDouble(each -> keys[each])).orElseThrow();
        assertThat(ranking.removeColdest()).as("step %d", step).isEqualTo(coldest);
        hot.remove(coldest);
      }
    }
  }
}
