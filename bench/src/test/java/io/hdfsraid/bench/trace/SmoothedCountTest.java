// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.trace;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.policies.AccessRate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SmoothedCountTest {
  private static final int FILES = 200;
  private static final long DAY = Workload.DAY_MILLIS;

  private final SplittableRandom random = new SplittableRandom(3);
  private final List<List<Long>> uses = new ArrayList<>();

  private static List<Integer> coldestFirst(ToDoubleFunction<Integer> key) {
    return IntStream.range(0, FILES).boxed().sorted(Comparator.comparingDouble(key)).toList();
  }

  /** Lee et al., definition 1, with F(x) = 2^(-x / halfLife). */
  private static double combined(List<Long> times, long now, Duration halfLife) {
    return times.stream()
        .mapToDouble(at -> Math.pow(2, -(double) (now - at) / halfLife.toMillis()))
        .sum();
  }

  private static AccessRate rate(List<Long> times, Duration halfLife) {
    AccessRate rate = AccessRate.none(Instant.ofEpochMilli(times.get(0)), halfLife);
    for (long at : times) {
      rate = rate.plus(Instant.ofEpochMilli(at));
    }
    return rate;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 30})
  void theOrderIsThatOfTheCombinedRecencyAndFrequencyAtAnyTime(int days) {
    Duration halfLife = Duration.ofDays(days);
    SmoothedCount count = new SmoothedCount(FILES, halfLife);
    IntStream.range(0, FILES).forEach(file -> uses.add(new ArrayList<>()));
    for (long at = 1; at < 40 * DAY; at += random.nextLong(DAY / 60)) {
      int file = (int) Math.pow(FILES, random.nextDouble()) - 1;
      uses.get(file).add(at);
      count.used(file, at, Temperature.BEFORE);
    }
    IntStream.range(0, FILES)
        .filter(file -> uses.get(file).isEmpty())
        .forEach(
            file -> {
              uses.get(file).add(40 * DAY + file);
              count.used(file, 40 * DAY + file, Temperature.BEFORE);
            });

    List<Integer> order = coldestFirst(count::of);
    for (long now : new long[] {41 * DAY, 43 * DAY, 60 * DAY, 100 * DAY}) {
      assertThat(order)
          .as("after %d days", now / DAY)
          .isEqualTo(coldestFirst(file -> combined(uses.get(file), now, halfLife)))
          .isEqualTo(
              coldestFirst(
                  file -> rate(uses.get(file), halfLife).count(Instant.ofEpochMilli(now))));
    }
    assertThat(order).isNotEqualTo(coldestFirst(file -> last(uses.get(file))));
  }

  private static long last(List<Long> times) {
    return times.get(times.size() - 1);
  }
}
