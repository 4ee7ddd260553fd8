// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.recency.SettableClock;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClockWatchTest {
  private final SettableClock clock = new SettableClock(Instant.parse("2026-11-22T00:00:00Z"));
  private long nanos = -5;
  private final ClockWatch watch = new ClockWatch(clock, () -> nanos);

  private void pass(Duration time) {
    clock.pass(time);
    nanos += time.toNanos();
    watch.tick();
  }

  @ParameterizedTest
  @ValueSource(longs = {-86400, -61, 61, 3600})
  void aJumpIsAProblemUntilTheClockWasRightForAnHour(long seconds) {
    pass(Duration.ofMinutes(1));
    assertThat(watch.problem()).isEmpty();
    clock.pass(Duration.ofSeconds(seconds));
    pass(Duration.ofMinutes(1));
    assertThat(watch.problem()).isPresent();
    for (int minute = 0; minute < 59; minute++) {
      pass(Duration.ofMinutes(1));
      assertThat(watch.problem()).as("minute %d", minute).isPresent();
    }
    pass(Duration.ofMinutes(1));
    assertThat(watch.problem()).isEmpty();
  }

  @Test
  void aSmallCorrectionAndALongPauseAreNone() {
    clock.pass(Duration.ofSeconds(-59));
    pass(Duration.ofMinutes(1));
    pass(Duration.ofDays(3));
    assertThat(watch.problem()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(longs = {-31_536_000, -301, 301, 31_536_000})
  void aNameNodeThatShowsAnotherTimeIsAProblemAlsoRightFromTheStart(long seconds) {
    watch.compare(clock.instant().plus(Duration.ofMinutes(5)));
    watch.compare(clock.instant().minus(Duration.ofMinutes(5)));
    assertThat(watch.problem()).isEmpty();

    Instant there = clock.instant().plusSeconds(seconds);
    watch.compare(there);

    assertThat(watch.problem())
        .hasValueSatisfying(
            text -> assertThat(text).contains(there.toString(), clock.instant().toString()));
  }

  @Test
  void whoTellsOfTheFutureIsAProblemAsLongAsHeDoes() {
    watch.checkEvent("inotify", clock.instant().plus(Duration.ofMinutes(5)));
    assertThat(watch.problem()).isEmpty();
    watch.checkEvent("inotify", clock.instant().plus(Duration.ofMinutes(6)));
    assertThat(watch.problem())
        .hasValueSatisfying(text -> assertThat(text).contains("inotify").contains("clocks"));
    pass(Duration.ofMinutes(30));
    watch.checkEvent("inotify", clock.instant().plus(Duration.ofMinutes(6)));
    pass(Duration.ofMinutes(59));
    assertThat(watch.problem()).isPresent();
    pass(Duration.ofMinutes(1));
    assertThat(watch.problem()).isEmpty();
  }
}
