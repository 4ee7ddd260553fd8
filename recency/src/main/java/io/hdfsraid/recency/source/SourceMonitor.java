// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.source;

import io.hdfsraid.policies.AccessTracking;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Compares all sources: a source that is silent while others report reads has stopped. Safe for
 * concurrent use.
 */
public final class SourceMonitor {
  private final List<Watched> watched;
  private final ClockWatch clocks;
  private final Clock clock;

  /**
   * A source, and how long it may be silent or behind before that is a problem.
   *
   * @param state returns the present state
   */
  public record Watched(Supplier<SourceState> state, Duration patience) {}

  public SourceMonitor(List<Watched> watched, ClockWatch clocks, Clock clock) {
    this.watched = List.copyOf(watched);
    this.clocks = clocks;
    this.clock = clock;
  }

  /** Checks the clock and the times that sources report. Called every minute. */
  public void tick() {
    clocks.tick();
    for (SourceState state : plain()) {
      state.newestEvent().ifPresent(at -> clocks.checkEvent(state.name(), at));
    }
  }

  private List<SourceState> plain() {
    return watched.stream().map(one -> one.state().get()).toList();
  }

  /** Returns the state of each source, with the problems that the comparison shows. */
  public List<SourceState> states() {
    List<SourceState> states = plain();
    Optional<Instant> newest =
        states.stream().flatMap(state -> state.newestEvent().stream()).max(Instant::compareTo);
    List<SourceState> judged = new ArrayList<>();
    for (int i = 0; i < states.size(); i++) {
      SourceState state = states.get(i);
      judged.add(
          state
              .orProblem(behind(state, watched.get(i).patience()))
              .orProblem(silent(state, watched.get(i).patience(), newest))
              .orProblem(state.since().isPresent() ? clocks.problem() : Optional.empty()));
    }
    return judged;
  }

  private static Optional<String> behind(SourceState state, Duration patience) {
    return state.lag().compareTo(patience) > 0
        ? Optional.of("It has been behind for %s, at %s".formatted(state.lag(), state.position()))
        : Optional.empty();
  }

  /** Measured by the events of other sources, so that an idle cluster is no problem. */
  private static Optional<String> silent(
      SourceState state, Duration patience, Optional<Instant> newest) {
    if (newest.isEmpty()) {
      return Optional.empty();
    }
    if (state.knownUntil().isEmpty()) {
      return Optional.of("It has reported nothing yet");
    }
    Duration silence = Duration.between(state.knownUntil().get(), newest.get());
    return silence.compareTo(patience) > 0
        ? Optional.of(
            "It has reported nothing after %s, but other sources have, up to %s"
                .formatted(state.knownUntil().get(), newest.get()))
        : Optional.empty();
  }

  /**
   * Returns since when no access was missed, by the best source without a problem.
   *
   * @return {@link AccessTracking#NONE} if every source has a problem
   */
  public AccessTracking tracking() {
    return states().stream()
        .filter(state -> state.problem().isEmpty())
        .flatMap(state -> state.since().stream())
        .filter(since -> !since.isAfter(clock.instant()))
        .min(Instant::compareTo)
        .map(AccessTracking::since)
        .orElse(AccessTracking.NONE);
  }

  /** Returns the problems of all sources. */
  public List<String> problems() {
    return states().stream()
        .flatMap(state -> state.problem().map(text -> state.name() + ": " + text).stream())
        .toList();
  }
}
