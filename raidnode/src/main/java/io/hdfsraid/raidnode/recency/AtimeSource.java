package io.hdfsraid.raidnode.recency;

import io.hdfsraid.raidnode.recency.source.SourceState;
import io.hdfsraid.raidnode.recency.source.TrackingNotes;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The access times that the NameNode keeps with each file, and which images and events tell. Asked
 * for by {@link #look}, again and again: an administrator may switch them off. Safe for concurrent
 * use.
 */
public final class AtimeSource {
  /** The name of the source. */
  public static final String SOURCE = "access-times";

  /** So long what the NameNode said last counts when it says nothing. */
  private static final Duration BELIEVED = Duration.ofDays(1);

  private final AccessTimes times;
  private final TrackingNotes notes;
  private final Supplier<Optional<Instant>> begun;
  private final ClockWatch clocks;
  private final Clock clock;

  private Optional<Duration> precision = Optional.empty();
  private Optional<Instant> heard = Optional.empty();
  private Optional<String> problem = Optional.of("The NameNode was not asked yet");
  private long failures;

  /**
   * Was not looked at yet.
   *
   * @param notes where a time without access times leaves its end
   * @param begun since when the NameNode has recorded them, as far as configuration or namespace
   *     say; empty when they do not
   * @param clocks is told what time it is at the NameNode
   */
  public AtimeSource(
      AccessTimes times,
      TrackingNotes notes,
      Supplier<Optional<Instant>> begun,
      ClockWatch clocks,
      Clock clock) {
    this.times = times;
    this.notes = notes;
    this.begun = begun;
    this.clocks = clocks;
    this.clock = clock;
  }

  /** Asks the NameNode. */
  public void look() {
    try {
      AccessTimes.Answer answer = times.ask();
      answer.at().ifPresent(clocks::compare);
      Duration told = answer.precision();
      synchronized (this) {
        precision = Optional.of(told);
        heard = Optional.of(clock.instant());
        problem = Optional.empty();
        if (told.isZero()) {
          // What is read from now on until they are switched on is known to nobody.
          notes.since(SOURCE, clock.instant());
          problem =
              Optional.of(
                  "The NameNode records no access times: set dfs.namenode.accesstime.precision, e.g. to 3600000");
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
        } // else what it said last is believed
      }
    }
  }

  /** After what time a read is recorded again, as far as it is known. */
  public synchronized Optional<Duration> precision() {
    return precision;
  }

  /** How it stands. */
  public synchronized SourceState state() {
    Optional<Instant> without = notes.since(SOURCE);
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
