package io.hdfsraid.raidnode.recency.source;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * How a source stands.
 *
 * @param name unique
 * @param since since when it misses no access; empty for one that tells of none by itself
 * @param position up to where it was taken in, in its own words
 * @param heard until when all that happened is known from it
 * @param told when the newest thing happened that it told of, by the clock of the NameNode
 * @param lag how long it has been behind what it could have told; zero when it is not
 * @param problem why its word is not complete, or will not be soon
 * @param counters by name, since the process began
 */
public record SourceState(
    String name,
    Optional<Instant> since,
    String position,
    Optional<Instant> heard,
    Optional<Instant> told,
    Duration lag,
    Optional<String> problem,
    Map<String, Long> counters) {
  public SourceState {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(position, "position");
    Objects.requireNonNull(lag, "lag");
    counters = Map.copyOf(counters);
  }

  /** The same with a problem, unless it has one of its own. */
  public SourceState orProblem(Optional<String> other) {
    return problem.isPresent() || other.isEmpty()
        ? this
        : new SourceState(name, since, position, heard, told, lag, other, counters);
  }
}
