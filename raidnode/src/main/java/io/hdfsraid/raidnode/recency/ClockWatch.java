package io.hdfsraid.raidnode.recency;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Whether times can be believed: this machine's clock must run as fast as time passes, and nobody
 * may tell of what has not happened yet. What was wrong stays a problem until nothing was for a
 * while. Safe for concurrent use.
 */
public final class ClockWatch {
  /** A clock that is mended by more, at once, has been wrong. */
  static final Duration JUMP = Duration.ofMinutes(1);

  /**
   * A NameNode whose clock is further ahead than that makes files hotter than they are, and one
   * that is behind makes them colder.
   */
  static final Duration AHEAD = Duration.ofMinutes(5);

  /** So long all must be well again. */
  static final Duration QUARANTINE = Duration.ofHours(1);

  private final Clock clock;
  private final LongSupplier nanos;

  private Instant lastTime;
  private long lastNanos;
  private Optional<String> problem = Optional.empty();
  private long wrongAtNanos;

  /**
   * Begins to watch.
   *
   * @param nanos a clock that nobody sets, as {@link System#nanoTime}
   */
  public ClockWatch(Clock clock, LongSupplier nanos) {
    this.clock = clock;
    this.nanos = nanos;
    this.lastTime = clock.instant();
    this.lastNanos = nanos.getAsLong();
  }

  /** Looks at the clock; to be called at least once a minute or so, for it may also drift. */
  public synchronized void tick() {
    Instant time = clock.instant();
    long now = nanos.getAsLong();
    Duration shown = Duration.between(lastTime, time);
    Duration passed = Duration.ofNanos(now - lastNanos);
    Duration jump = shown.minus(passed);
    if (jump.abs().compareTo(JUMP) > 0) {
      wrong(
          "The clock of this machine jumped by %s to %s, while %s passed"
              .formatted(jump, time, passed));
    } else if (problem.isPresent()
        && Duration.ofNanos(now - wrongAtNanos).compareTo(QUARANTINE) >= 0) {
      problem = Optional.empty();
    }
    lastTime = time;
    lastNanos = now;
  }

  /**
   * A source told of something.
   *
   * @param at when that is said to have happened
   */
  public synchronized void told(String source, Instant at) {
    Duration early = Duration.between(clock.instant(), at);
    if (early.compareTo(AHEAD) > 0) {
      wrong(
          "The source %s tells of %s, which is %s from now: the clocks of the NameNode and of this machine differ"
              .formatted(source, at, early));
    }
  }

  /**
   * The NameNode has just said what time it is.
   *
   * @param nameNode what its clock shows
   */
  public synchronized void compare(Instant nameNode) {
    Instant here = clock.instant();
    if (Duration.between(nameNode, here).abs().compareTo(AHEAD) > 0) {
      wrong(
          "The clock of the NameNode shows %s and that of this machine %s: one of them is wrong"
              .formatted(nameNode, here));
    }
  }

  private void wrong(String what) {
    problem = Optional.of(what);
    wrongAtNanos = nanos.getAsLong();
  }

  /** What was wrong of late. */
  public synchronized Optional<String> problem() {
    return problem;
  }
}
