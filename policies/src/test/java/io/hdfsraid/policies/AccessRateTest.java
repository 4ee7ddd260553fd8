// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.policies;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class AccessRateTest {
  private static final Instant START = Instant.parse("2030-01-01T00:00:00Z");
  private static final Duration DAY = Duration.ofDays(1);
  private static final Duration WEEK = Duration.ofDays(7);

  @Test
  void anAccessCountsOneAndHalfAsMuchAfterEachHalfLife() {
    AccessRate once = AccessRate.none(START, WEEK).plus(START);

    assertThat(once.count(START)).isEqualTo(1);
    assertThat(once.count(START.plus(WEEK))).isCloseTo(0.5, within(1e-12));
    assertThat(once.count(START.plus(WEEK.multipliedBy(3)))).isCloseTo(0.125, within(1e-12));
    assertThat(once.count(START.minus(DAY))).as("a clock that went back").isEqualTo(1);
  }

  @Test
  void theCountIsTheSumOfTheAccessesInWhateverOrderTheyCome() {
    Random random = new Random(4711);
    Instant end = START.plus(Duration.ofDays(100));
    List<Instant> accesses = new ArrayList<>();
    double expected = 0;
    for (int i = 0; i < 200; i++) {
      Instant at = START.plusMillis(random.nextLong(Duration.ofDays(100).toMillis()));
      accesses.add(at);
      double lives = (double) Duration.between(at, end).toMillis() / WEEK.toMillis();
      expected += Math.pow(2, -lives);
    }
    for (int order = 0; order < 5; order++) {
      Collections.shuffle(accesses, random);
      AccessRate rate = AccessRate.none(START, WEEK);
      for (Instant at : accesses) {
        rate = rate.plus(at);
      }
      assertThat(rate.count(end)).isCloseTo(expected, within(1e-9));
    }
  }

  @Test
  void whatWasCountedAtAnEarlierLookCanBeTakenOut() {
    AccessRate earlier = AccessRate.none(START, WEEK).plus(START).plus(START);
    Instant later = START.plus(WEEK);

    assertThat(earlier.plus(later).plus(later).since(earlier).count(later))
        .isCloseTo(2, within(1e-12));
    assertThat(earlier.since(earlier.plus(START)).smoothedCount()).as("never below 0").isZero();
  }

  @Test
  void evenUseIsEstimatedRightInAnyWindow() {
    AccessRate rate = AccessRate.none(START, WEEK);
    Instant now = START;
    for (int hour = 0; hour < 24 * 365; hour += 6) {
      now = START.plus(Duration.ofHours(hour));
      rate = rate.plus(now);
    }

    for (int days : new int[] {2, 7, 14, 30}) {
      assertThat(rate.within(DAY.multipliedBy(days), now))
          .as("%d days, four accesses each", days)
          .isCloseTo(4 * days, within(0.03 * 4 * days));
    }
  }

  @Test
  void whatCouldNotBeCountedYetMakesTheEstimateNoSmaller() {
    AccessRate rate = AccessRate.none(START, WEEK);
    Instant now = START;
    for (int hour = 1; hour <= 24; hour++) {
      now = START.plus(Duration.ofHours(hour));
      rate = rate.plus(now);
    }

    assertThat(rate.within(WEEK, now, START)).as("24 in the day since").isCloseTo(24, within(0.3));
    assertThat(rate.within(Duration.ofHours(12), now, START)).isCloseTo(12, within(0.3));
    assertThat(rate.within(WEEK, now)).as("as if the week had been watched").isLessThan(17);
    assertThat(rate.within(WEEK, now, now)).isZero();
    assertThat(rate.within(DAY, now, START.minus(DAY.multipliedBy(3650))))
        .as("watched for long, it is the plain estimate")
        .isCloseTo(rate.within(DAY, now), within(1e-9));
  }

  @Test
  void anEstimateFallsWhenItSaysAndIsThatThen() {
    AccessRate rate = new AccessRate(40, START, WEEK);
    Instant falls = rate.fallsTo(3.5, WEEK, START);

    assertThat(rate.within(WEEK, falls)).isCloseTo(3.5, within(1e-6)).isLessThanOrEqualTo(3.5);
    assertThat(rate.fallsTo(100, WEEK, START)).isEqualTo(START);
  }

  @Test
  void whatIsNoRateIsRefused() {
    assertThatThrownBy(() -> new AccessRate(-1, START, WEEK)).hasMessageContaining("-1");
    assertThatThrownBy(() -> new AccessRate(Double.NaN, START, WEEK)).hasMessageContaining("NaN");
    assertThatThrownBy(() -> new AccessRate(1, START, Duration.ZERO)).hasMessageContaining("PT0S");
  }
}
