// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.source;

import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The access times that the NameNode records and that images and events contain. {@link #look} asks
 * for the setting regularly, because an administrator may switch access times off. Safe for
 * concurrent use.
 */
public final class AccessTimeSource {
  /** The name of the source. */
  public static final String SOURCE = "access-times";

  /** The problem of the first seconds, in which the source does not count. */
  public static final String NOT_ASKED = "The NameNode has not been asked yet";

  /** How long the last answer of the NameNode counts if it does not answer. */
  private static final Duration BELIEVED = Duration.ofDays(1);

  private final AccessTimeSetting times;
  private final Timestamps timestamps;
  private final Supplier<Optional<Instant>> begun;
  private final ClockWatch clocks;
  private final Clock clock;

  private Optional<Duration> precision = Optional.empty();
  private Optional<Instant> heard = Optional.empty();
  private Optional<String> problem = Optional.of(NOT_ASKED);
  private long failures;

  /**
   * Creates the source; the NameNode is not asked yet.
   *
   * @param timestamps keeps when a time without access times ended
   * @param begun since when access times have been recorded, by configuration or namespace; empty
   *     if unknown
   * @param clocks receives the time of the NameNode
   */
  public AccessTimeSource(
      AccessTimeSetting times,
      Timestamps timestamps,
      Supplier<Optional<Instant>> begun,
      ClockWatch clocks,
      Clock clock) {
    this.times = times;
    this.timestamps = timestamps;
    this.begun = begun;
    this.clocks = clocks;
    this.clock = clock;
  }

  /** Asks the NameNode. */
  public void look() {
    try {
      AccessTimeSetting.Answer answer = times.ask();
      answer.at().ifPresent(clocks::compare);
      Duration told = answer.precision();
      synchronized (this) {
        precision = Optional.of(told);
        heard = Optional.of(clock.instant());
        problem = Optional.empty();
        if (told.isZero()) {
          // Reads are unknown until access times are switched on again.
          timestamps.trackingStart(SOURCE, clock.instant());
          problem =
              Optional.of(
                  "The NameNode records no access times: set dfs.namenode.accesstime.precision,"
                      + " e.g. to 3600000");
        }
      }
    } catch (IOException e) {
      synchronized (this) {
        failures++;
        if (heard.isEmpty()
            || Duration.between(heard.get(), clock.instant()).compareTo(BELIEVED) > 0) {
          problem =
              Optional.of(
                  "It is not known whether the NameNode records access times%s: %s"
                      .formatted(
                          heard.map(at -> ", since it said so at " + at).orElse(""),
                          e.getMessage()));
        } // otherwise the last answer counts
      }
    }
  }

  /** Returns the least time between two recorded reads of a file, if known. */
  public synchronized Optional<Duration> precision() {
    return precision;
  }

  /** Returns the state of the source. */
  public synchronized SourceState state() {
    Optional<Instant> without = timestamps.trackingStart(SOURCE);
    Optional<Instant> since =
        begun.get().map(start -> without.filter(start::isBefore).orElse(start)).or(() -> without);
    return new SourceState(
        SOURCE,
        since,
        precision.map(Duration::toString).orElse(""),
        heard,
        Optional.empty(),
        Duration.ZERO,
        problem,
        Map.of("failures", failures));
  }
}
