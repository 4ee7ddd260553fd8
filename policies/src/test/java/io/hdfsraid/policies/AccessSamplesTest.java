// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.policies;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AccessSamplesTest {
  private static final Instant RAIDED = Instant.parse("2029-01-01T00:00:00Z");
  private static final Duration HALF_LIFE = Duration.ofDays(30);
  private static final Duration WINDOW = Duration.ofDays(2);
  private static final Duration ROUND = Duration.ofMinutes(10);
  private static final ReheatRule RULE =
      new ReheatRule(5, WINDOW, Duration.ofDays(7), Duration.ofDays(30));

  private AccessRate rate = AccessRate.none(RAIDED, HALF_LIFE);
  private AccessSamples looks = AccessSamples.beginning(RAIDED, rate);
  private Instant now = RAIDED;
  private int most;

  /** Rounds go on as usual. */
  private void pass(Duration time) {
    for (Instant end = now.plus(time); now.isBefore(end); ) {
      now = now.plus(ROUND);
      looks = looks.sampled(rate, WINDOW, now);
      most = Math.max(most, looks.samples().size());
    }
  }

  private void open(int times, Duration apart) {
    for (int i = 0; i < times; i++) {
      pass(apart);
      rate = rate.plus(now);
    }
  }

  private boolean reheats() {
    return RULE.decide(
            new ReheatRule.Residence(
                RAIDED, Optional.of(looks.recent(rate, WINDOW, now)), Optional.empty()),
            now)
        instanceof ReheatRule.Decision.Reheat;
  }

  @ParameterizedTest
  @ValueSource(ints = {8, 30, 90, 365})
  void fiveOpensInTwoDaysAreFiveHoweverLongAgoTheFileWasRaided(int days) {
    pass(Duration.ofDays(days));
    open(4, Duration.ofHours(9));
    assertThat(reheats()).isFalse();

    open(1, Duration.ofHours(9));

    assertThat(looks.recent(rate, WINDOW, now).count(now)).isCloseTo(5, within(0.2));
    assertThat(reheats()).isTrue();
  }

  @Test
  void theyAreNoneWhenTheyAreOlder() {
    pass(Duration.ofDays(30));
    open(5, Duration.ofHours(1));
    assertThat(reheats()).isTrue();

    pass(Duration.ofHours(43));
    assertThat(reheats()).isTrue();

    pass(Duration.ofHours(12));
    open(1, ROUND);
    assertThat(reheats()).isFalse();
    assertThat(looks.recent(rate, WINDOW, now).count(now)).isCloseTo(1, within(0.1));
  }

  @Test
  void aFileThatIsReadNowAndThenIsNotReheatedOnAnyDay() {
    for (int day = 0; day < 200; day++) {
      open(1, Duration.ofHours(16));
      assertThat(reheats()).as("after %d days", day).isFalse();
    }
  }

  @Test
  void howOftenItIsReadTakesNoMoreRoom() {
    open(2_000, Duration.ofHours(1));

    assertThat(most).isBetween(8, 12);
    assertThat(reheats()).isTrue();
  }
}
