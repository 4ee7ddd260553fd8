// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.policies;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsraid.policies.ReheatRule.Decision;
import io.hdfsraid.policies.ReheatRule.Decision.Reheat;
import io.hdfsraid.policies.ReheatRule.Decision.Stay;
import io.hdfsraid.policies.ReheatRule.Decision.Why;
import io.hdfsraid.policies.ReheatRule.Residence;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ReheatRuleTest {
  private static final Instant NOW = Instant.parse("2030-06-01T00:00:00Z");
  private static final Duration DAY = Duration.ofDays(1);
  private static final Duration HALF_LIFE = Duration.ofDays(2);
  private static final ReheatRule RULE =
      new ReheatRule(5, Duration.ofDays(2), Duration.ofDays(7), Duration.ofDays(30));

  private static Instant daysAgo(int days) {
    return NOW.minus(DAY.multipliedBy(days));
  }

  /** In two days, with a half-life of two days: that many, spread evenly, count 0.72 each. */
  private static Optional<AccessRate> opened(double count) {
    return Optional.of(new AccessRate(count, NOW, HALF_LIFE));
  }

  private static void assertStays(Decision decision, Why why, Optional<Instant> mayChangeAt) {
    assertThat(decision).isInstanceOf(Stay.class);
    assertThat(((Stay) decision).why()).isEqualTo(why);
    assertThat(((Stay) decision).mayChangeAt()).isEqualTo(mayChangeAt);
  }

  @Test
  void aFileThatIsReadOftenGetsItsReplicasBack() {
    Decision decision =
        RULE.decide(new Residence(daysAgo(100), opened(3.5), Optional.empty()), NOW);

    assertThat(decision).isInstanceOf(Reheat.class);
    assertThat(decision.detail())
        .hasToString("It was opened about 4.9 times within 2d, accesses is 5.");
  }

  @Test
  void aFileThatIsReadNowAndThenStays() {
    assertStays(
        RULE.decide(new Residence(daysAgo(100), opened(3.2), Optional.empty()), NOW),
        Why.TOO_FEW_ACCESSES,
        Optional.empty());
    assertStays(
        RULE.decide(new Residence(daysAgo(100), Optional.empty(), Optional.empty()), NOW),
        Why.NOT_COUNTED,
        Optional.empty());
  }

  @Test
  void aFileStaysRaidedForAWhileAtLeast() {
    assertStays(
        RULE.decide(new Residence(daysAgo(6), opened(50), Optional.empty()), NOW),
        Why.RAIDED_LATELY,
        Optional.of(NOW.plus(DAY)));
    assertThat(RULE.decide(new Residence(daysAgo(7), opened(50), Optional.empty()), NOW))
        .isInstanceOf(Reheat.class);
  }

  @Test
  void aFileThatWasReheatedLatelyAndRaidedByHandDoesNotGoToAndFro() {
    assertStays(
        RULE.decide(new Residence(daysAgo(8), opened(50), Optional.of(daysAgo(29))), NOW),
        Why.REHEATED_LATELY,
        Optional.of(NOW.plus(DAY)));
    assertThat(RULE.decide(new Residence(daysAgo(8), opened(50), Optional.of(daysAgo(30))), NOW))
        .isInstanceOf(Reheat.class);
  }

  /**
   * Whoever reads a file however often: between two reheats lie at least the cool-down and the
   * residence, and no file is reheated before its residence is over.
   */
  @Test
  void noPatternOfAccessesMakesAFileGoToAndFro() {
    Random random = new Random(4711);
    int reheats = 0;
    for (int file = 0; file < 50; file++) {
      Instant now = NOW;
      Instant raidedAt = now;
      AccessRate rate = AccessRate.none(now, HALF_LIFE);
      Optional<Instant> reheated = Optional.empty();
      boolean raided = true;
      for (int hour = 0; hour < 24 * 365; hour++) {
        now = now.plus(Duration.ofHours(1));
        for (int i = random.nextInt(3); i > 0 && hour / 500 % 2 == 0; i--) {
          rate = rate.plus(now);
        }
        if (raided
            && RULE.decide(new Residence(raidedAt, Optional.of(rate), reheated), now)
                instanceof Reheat) {
          assertThat(Duration.between(raidedAt, now)).isGreaterThanOrEqualTo(RULE.minResidence());
          if (reheated.isPresent()) {
            assertThat(Duration.between(reheated.get(), now))
                .isGreaterThanOrEqualTo(RULE.coolDown().plus(RULE.minResidence()));
          }
          reheated = Optional.of(now);
          raided = false;
          reheats++;
        } else if (!raided
            && new Condition.CooledDown(RULE.coolDown())
                .ask(
                    FileFacts.of("/f", 1, 1, 1, 3, NOW).withReheat(reheated.orElseThrow()),
                    new EvaluationTime(now, AccessTracking.NONE))
                .is(ConditionResult.Answer.YES)) {
          raided = true;
          raidedAt = now;
          rate = AccessRate.none(now, HALF_LIFE);
        }
      }
    }
    assertThat(reheats).isBetween(50, 50 * (365 / 37 + 1));
  }

  @Test
  void aRuleThatCannotBeIsRefused() {
    assertThatThrownBy(() -> new ReheatRule(0, DAY, DAY, DAY)).hasMessageContaining("0 within");
    assertThatThrownBy(() -> new ReheatRule(1, Duration.ZERO, DAY, DAY))
        .hasMessageContaining("within PT0S");
  }
}
