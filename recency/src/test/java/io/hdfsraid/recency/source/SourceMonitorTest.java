// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.policies.AccessTracking;
import io.hdfsraid.recency.SettableClock;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class SourceMonitorTest {
  private static final Instant NOW = Instant.parse("2026-11-22T12:00:00Z");
  private static final Instant LAST_YEAR = NOW.minus(Duration.ofDays(365));
  private static final Instant LAST_WEEK = NOW.minus(Duration.ofDays(7));

  private final SettableClock clock = new SettableClock(NOW);
  private long nanos;
  private final ClockWatch clocks = new ClockWatch(clock, () -> nanos);

  private SourceState atimes = state("access-times", Optional.of(LAST_YEAR), NOW, Duration.ZERO);
  private SourceState inotify = state("inotify", Optional.empty(), NOW, Duration.ZERO);
  private SourceState audit = state("audit-log", Optional.of(LAST_WEEK), NOW, Duration.ZERO);

  private final SourceMonitor sources =
      new SourceMonitor(
          List.of(
              new SourceMonitor.Watched(() -> atimes, Duration.ofHours(1)),
              new SourceMonitor.Watched(() -> inotify, Duration.ofMinutes(10)),
              new SourceMonitor.Watched(() -> audit, Duration.ofMinutes(10))),
          clocks,
          clock);

  private static SourceState state(
      String name, Optional<Instant> since, Instant heard, Duration lag) {
    return new SourceState(
        name, since, "17", Optional.of(heard), Optional.of(heard), lag, Optional.empty(), Map.of());
  }

  private Optional<String> problemOf(String name) {
    return sources.states().stream()
        .filter(state -> state.name().equals(name))
        .findFirst()
        .orElseThrow()
        .problem();
  }

  @Test
  void theBestSourceWithoutAProblemSaysSinceWhen() {
    assertThat(sources.problems()).isEmpty();
    assertThat(sources.tracking()).isEqualTo(AccessTracking.since(LAST_YEAR));
    atimes = atimes.orProblem(Optional.of("switched off"));
    assertThat(sources.tracking()).isEqualTo(AccessTracking.since(LAST_WEEK));
    audit = audit.orProblem(Optional.of("not there"));
    assertThat(sources.tracking()).isEqualTo(AccessTracking.NONE);
    assertThat(sources.problems())
        .containsExactly("access-times: switched off", "audit-log: not there");
    assertThat(sources.states()).contains(audit, inotify);
  }

  @Test
  void whoIsSilentWhileOthersTellHasStopped() {
    audit = state("audit-log", Optional.of(LAST_WEEK), NOW.minusSeconds(601), Duration.ZERO);
    assertThat(problemOf("audit-log"))
        .hasValueSatisfying(text -> assertThat(text).contains("has reported nothing after"));
    assertThat(problemOf("inotify")).isEmpty();
  }

  @Test
  void aClusterThatRestsIsNoProblem() {
    Instant yesterday = NOW.minus(Duration.ofDays(1));
    audit = state("audit-log", Optional.of(LAST_WEEK), yesterday, Duration.ZERO);
    inotify =
        new SourceState(
            "inotify",
            Optional.empty(),
            "17",
            Optional.of(NOW),
            Optional.of(yesterday),
            Duration.ZERO,
            Optional.empty(),
            Map.of());
    atimes =
        new SourceState(
            "access-times",
            Optional.of(LAST_YEAR),
            "",
            Optional.of(NOW),
            Optional.empty(),
            Duration.ZERO,
            Optional.empty(),
            Map.of());
    assertThat(sources.problems()).isEmpty();
  }

  @Test
  void whoStaysBehindIsNamed() {
    inotify = state("inotify", Optional.empty(), NOW, Duration.ofMinutes(11));
    assertThat(problemOf("inotify"))
        .hasValueSatisfying(text -> assertThat(text).contains("behind").contains("17"));
  }

  @Test
  void aClockThatJumpsTakesAllTrackingAway() {
    clock.pass(Duration.ofHours(2));
    sources.tick();
    assertThat(sources.tracking()).isEqualTo(AccessTracking.NONE);
    assertThat(problemOf("audit-log"))
        .hasValueSatisfying(text -> assertThat(text).contains("jumped"));
    assertThat(problemOf("inotify")).as("tells of no accesses").isEmpty();
  }

  @Test
  void aNameNodeThatIsAheadIsNoticed() {
    inotify = state("inotify", Optional.empty(), NOW.plusSeconds(301), Duration.ZERO);
    audit = state("audit-log", Optional.of(LAST_WEEK), NOW.plusSeconds(301), Duration.ZERO);
    sources.tick();
    assertThat(sources.tracking()).isEqualTo(AccessTracking.NONE);
  }

  @Test
  void whatTheNameNodeSaidOfAccessTimesIsBelievedForADay() throws IOException {
    AtomicReference<IOException> refusal = new AtomicReference<>();
    AccessTimeSource source =
        new AccessTimeSource(
            () -> {
              if (refusal.get() != null) {
                throw refusal.get();
              }
              return new AccessTimeSetting.Answer(Duration.ofHours(1), Optional.empty());
            },
            new MemoryTimestamps(),
            () -> Optional.of(LAST_YEAR),
            clocks,
            clock);
    source.look();
    refusal.set(new IOException("/conf is closed"));
    clock.pass(Duration.ofDays(1));
    source.look();
    assertThat(source.state().problem()).isEmpty();
    clock.pass(Duration.ofSeconds(1));
    source.look();
    assertThat(source.state().problem())
        .hasValueSatisfying(text -> assertThat(text).contains(NOW + ": /conf is closed"));
    refusal.set(null);
    source.look();
    assertThat(source.state().problem()).isEmpty();
  }

  @Test
  void whileAccessTimesAreOffTheirTrackingBeginsAnew() throws IOException {
    MemoryTimestamps timestamps = new MemoryTimestamps();
    AtomicReference<Duration> precision = new AtomicReference<>(Duration.ofHours(1));
    AccessTimeSource source =
        new AccessTimeSource(
            () -> new AccessTimeSetting.Answer(precision.get(), Optional.of(clock.instant())),
            timestamps,
            () -> Optional.of(LAST_YEAR),
            clocks,
            clock);
    assertThat(source.state().problem()).as("nobody was asked").isPresent();
    source.look();
    assertThat(source.state().problem()).isEmpty();
    assertThat(source.state().since()).contains(LAST_YEAR);

    precision.set(Duration.ZERO);
    source.look();
    assertThat(source.state().problem())
        .hasValueSatisfying(text -> assertThat(text).contains("dfs.namenode.accesstime.precision"));
    precision.set(Duration.ofHours(1));
    clock.pass(Duration.ofHours(1));
    source.look();
    assertThat(source.state().problem()).isEmpty();
    assertThat(source.state().since()).as("when it was seen off last").contains(NOW);

    AccessTimeSource blind =
        new AccessTimeSource(
            () -> {
              throw new IOException("no connection");
            },
            timestamps,
            () -> Optional.of(LAST_YEAR),
            clocks,
            clock);
    blind.look();
    assertThat(blind.state().problem())
        .hasValueSatisfying(text -> assertThat(text).contains("no connection"));
  }
}
