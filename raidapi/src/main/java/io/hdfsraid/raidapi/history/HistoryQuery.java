// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidapi.history;

import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/**
 * Selects lines of the history.
 *
 * @param below a file, or a directory with everything below it; {@code /} for all
 * @param since only lines from this moment on
 * @param until only lines before this moment
 * @param by only what this user, policy or job has started
 * @param events only these events; empty for all
 */
public record HistoryQuery(
    String below,
    Optional<Instant> since,
    Optional<Instant> until,
    Optional<String> by,
    Set<String> events) {
  public HistoryQuery {
    events = Set.copyOf(events);
  }

  /** Selects all lines about a file, or about everything below a directory. */
  public static HistoryQuery below(String path) {
    return new HistoryQuery(path, Optional.empty(), Optional.empty(), Optional.empty(), Set.of());
  }
}
