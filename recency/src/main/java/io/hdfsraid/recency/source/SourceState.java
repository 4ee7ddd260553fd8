// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.source;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The state of a source of accesses.
 *
 * @param name unique
 * @param since since when the source has missed no access; empty if it reports none by itself
 * @param position the position up to which it was taken in, in a format of the source
 * @param knownUntil the time up to which all its events are known
 * @param newestEvent the time of its newest event, by the clock of the NameNode
 * @param lag how long the source has been behind; zero if it is not
 * @param problem why its reports are incomplete, or soon will be
 * @param counters by name, since the process began
 */
public record SourceState(
    String name,
    Optional<Instant> since,
    String position,
    Optional<Instant> knownUntil,
    Optional<Instant> newestEvent,
    Duration lag,
    Optional<String> problem,
    Map<String, Long> counters) {
  public SourceState {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(position, "position");
    Objects.requireNonNull(lag, "lag");
    counters = Map.copyOf(counters);
  }

  /** Returns the same state with a problem, unless it has one already. */
  public SourceState orProblem(Optional<String> other) {
    return problem.isPresent() || other.isEmpty()
        ? this
        : new SourceState(name, since, position, knownUntil, newestEvent, lag, other, counters);
  }
}
