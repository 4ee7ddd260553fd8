// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.policies;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The time since which the best source has recorded accesses without a gap. "No access recorded"
 * means "not accessed" only back to this moment, and only while no source is in doubt.
 *
 * @param since empty when nothing records accesses
 * @param counted since when each access is counted, and not only the last one kept; empty when
 *     nothing counts them
 * @param grain how much later than recorded a file may have been accessed last: HDFS records an
 *     access time again only once so much has passed; zero where all are recorded
 * @param problems what puts the record in doubt now, each a clause: "inotify stopped at transaction
 *     123". While there is one, nothing is believed to be cold
 */
public record AccessTracking(
    Optional<Instant> since, Optional<Instant> counted, Duration grain, List<String> problems) {
  public static final AccessTracking NONE = new AccessTracking(Optional.empty());

  public AccessTracking {
    problems = List.copyOf(problems);
  }

  public AccessTracking(Optional<Instant> since) {
    this(since, Optional.empty(), Duration.ZERO, List.of());
  }

  public static AccessTracking since(Instant start) {
    return new AccessTracking(Optional.of(start));
  }

  /** This record, by a source that counts accesses since then, too. */
  public AccessTracking counting(Instant start) {
    return new AccessTracking(since, Optional.of(start), grain, problems);
  }

  /** This record, of accesses that may be later than they are said to be. */
  public AccessTracking grained(Duration time) {
    return new AccessTracking(since, counted, time, problems);
  }

  /** This record, in doubt for one more reason. */
  public AccessTracking inDoubt(String problem) {
    List<String> more = new ArrayList<>(problems);
    more.add(problem);
    return new AccessTracking(since, counted, grain, more);
  }

  /** Whether an access within this time before {@code now} would have been recorded. */
  public boolean covers(Duration window, Instant now) {
    return window.isZero() || (problems.isEmpty() && reaches(since, window, now));
  }

  /** Whether every access within this time before {@code now} would have been counted. */
  boolean counts(Duration window, Instant now) {
    return problems.isEmpty() && reaches(counted, window, now);
  }

  /** How much later than recorded a file may have been accessed last within this window. */
  Duration grainWithin(Duration window, Instant now) {
    return counts(window, now) ? Duration.ZERO : grain;
  }

  private static boolean reaches(Optional<Instant> start, Duration window, Instant now) {
    return start.isPresent() && !start.get().plus(window).isAfter(now);
  }

  /** When this window will be covered by the mere passing of time. */
  Optional<Instant> coveredFrom(Duration window) {
    return problems.isEmpty() ? since.map(start -> start.plus(window)) : Optional.empty();
  }

  /** When accesses will have been counted for this window, by the mere passing of time. */
  Optional<Instant> countedFrom(Duration window) {
    return problems.isEmpty() ? counted.map(start -> start.plus(window)) : Optional.empty();
  }

  /** Since when accesses are recorded, without a full stop. */
  String sentence() {
    return doubts() + told(since, "recorded", "records");
  }

  /** Since when accesses are counted, without a full stop. */
  String countingSentence() {
    return doubts() + told(counted, "counted", "counts");
  }

  private String doubts() {
    return problems.isEmpty()
        ? ""
        : "The record of accesses is in doubt (" + String.join("; ", problems) + "). ";
  }

  private static String told(Optional<Instant> start, String participle, String verb) {
    return start
        .map(at -> "Accesses are %s since %s".formatted(participle, at))
        .orElse("Nothing %s accesses".formatted(verb));
  }
}
