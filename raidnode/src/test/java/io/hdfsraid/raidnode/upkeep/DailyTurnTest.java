// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.upkeep;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class DailyTurnTest {
  private static final Instant NOON = Instant.parse("2029-06-01T12:00:00Z");
  private static final int IDS = 10_000;

  private static long due(Instant after, Instant until) {
    DailyTurn turn = new DailyTurn(after, until);
    return LongStream.range(16_384, 16_384 + IDS).filter(turn::isOf).count();
  }

  @Test
  void eachHasItsTurnOnceADayHoweverTheDayIsDivided() {
    Random random = new Random(7);
    int[] turns = new int[IDS];
    Instant after = NOON;
    while (after.isBefore(NOON.plus(Duration.ofDays(3)))) {
      Instant until = after.plusMillis(1 + random.nextInt(7_200_000));
      if (until.isAfter(NOON.plus(Duration.ofDays(3)))) {
        until = NOON.plus(Duration.ofDays(3));
      }
      DailyTurn turn = new DailyTurn(after, until);
      for (int id = 0; id < IDS; id++) {
        turns[id] += turn.isOf(16_384 + id) ? 1 : 0;
      }
      after = until;
    }
    assertThat(turns).containsOnly(3);
  }

  @Test
  void anHourHasItsShare() {
    assertThat(due(NOON, NOON.plus(Duration.ofHours(1)))).isBetween(IDS / 30L, IDS / 20L);
  }

  @Test
  void afterADayAllAreDueAndAlsoWhenTheClockWasSetBack() {
    assertThat(due(NOON, NOON.plus(Duration.ofDays(1)))).isEqualTo(IDS);
    assertThat(due(NOON, NOON.minusMillis(1))).isEqualTo(IDS);
    assertThat(due(NOON, NOON)).isZero();
  }
}
