package io.hdfsraid.raidnode.recency;

import io.hdfsraid.policies.AccessTracking;
import io.hdfsraid.raidapi.SourceView;
import io.hdfsraid.raidnode.recency.source.SourceState;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * All sources together, and what one says of another: one that is silent while others hear of reads
 * has stopped. Safe for concurrent use.
 */
public final class Sources {
  private final List<Watched> watched;
  private final ClockWatch clocks;
  private final Clock clock;

  /**
   * A source and how long it may be silent, or behind, before that is a problem.
   *
   * @param state how it stands now
   */
  public record Watched(Supplier<SourceState> state, Duration patience) {}

  public Sources(List<Watched> watched, ClockWatch clocks, Clock clock) {
    this.watched = List.copyOf(watched);
    this.clocks = clocks;
    this.clock = clock;
  }

  /** Looks at the clock and at what the sources say of time; to be called every minute. */
  public void tick() {
    clocks.tick();
    for (SourceState state : plain()) {
      state.told().ifPresent(at -> clocks.told(state.name(), at));
    }
  }

  private List<SourceState> plain() {
    return watched.stream().map(one -> one.state().get()).toList();
  }

  /** How each stands, with what is known of it by itself and by the others. */
  public List<SourceState> states() {
    List<SourceState> states = plain();
    Optional<Instant> newest =
        states.stream().flatMap(state -> state.told().stream()).max(Instant::compareTo);
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

  /** Measured by what others have told of, so that a cluster that rests is no problem. */
  private static Optional<String> silent(
      SourceState state, Duration patience, Optional<Instant> newest) {
    if (newest.isEmpty()) {
      return Optional.empty();
    }
    if (state.heard().isEmpty()) {
      return Optional.of("It has told nothing yet");
    }
    Duration silence = Duration.between(state.heard().get(), newest.get());
    return silence.compareTo(patience) > 0
        ? Optional.of(
            "It has told nothing of what happened after %s, and other sources have, up to %s"
                .formatted(state.heard().get(), newest.get()))
        : Optional.empty();
  }

  /**
   * Since when no access is missed, by the best source that has no problem.
   *
   * @return {@link AccessTracking#NONE} when none is without
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

  /** Why there is no tracking, or less than there could be; in the order of the sources. */
  public List<String> problems() {
    return states().stream()
        .flatMap(state -> state.problem().map(text -> state.name() + ": " + text).stream())
        .toList();
  }

  /** How the API shows them. */
  public List<SourceView> views() {
    return states().stream()
        .map(
            state ->
                new SourceView(
                    state.name(), state.since(), state.heard(), state.problem().orElse("")))
        .toList();
  }
}
