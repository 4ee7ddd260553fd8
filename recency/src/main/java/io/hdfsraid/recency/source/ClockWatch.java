// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.source;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Checks the clocks: the clock of this machine must run as fast as time passes, and no source may
 * report events of the future. A problem lasts until all checks have passed for an hour. Safe for
 * concurrent use.
 */
public final class ClockWatch {
  /** The largest correction of a clock that is no problem. */
  static final Duration JUMP = Duration.ofMinutes(1);

  /**
   * The largest difference to the clock of the NameNode that is no problem. A clock that is ahead
   * makes files look hotter, one that is behind makes them look colder.
   */
  static final Duration AHEAD = Duration.ofMinutes(5);

  /** How long all checks must pass before a problem is over. */
  static final Duration QUARANTINE = Duration.ofHours(1);

  private final Clock clock;
  private final LongSupplier nanos;

  private Instant lastTime;
  private long lastNanos;
  private Optional<String> problem = Optional.empty();
  private long wrongAtNanos;

  /**
   * @param nanos a clock that cannot be set, such as {@link System#nanoTime}
   */
  public ClockWatch(Clock clock, LongSupplier nanos) {
    this.clock = clock;
    this.nanos = nanos;
    this.lastTime = clock.instant();
    this.lastNanos = nanos.getAsLong();
  }

  /**
   * Checks the clock of this machine. Called about once a minute, because the clock may also drift.
   */
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

  /** Checks the time of an event that a source reported. */
  public synchronized void checkEvent(String source, Instant at) {
    Duration early = Duration.between(clock.instant(), at);
    if (early.compareTo(AHEAD) > 0) {
      wrong(
          "The source %s reports an event of %s, which is %s in the future: the clocks of the NameNode and of this machine differ"
              .formatted(source, at, early));
    }
  }

  /** Compares the clock of this machine with that of the NameNode. */
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

  /** Returns the present problem. */
  public synchronized Optional<String> problem() {
    return problem;
  }
}
