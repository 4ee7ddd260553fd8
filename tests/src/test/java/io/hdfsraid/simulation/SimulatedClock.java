// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.simulation;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/**
 * The clock of the daemon's machine. Time passes when the simulation says so, and a second with
 * each look: whoever works takes some, and nobody who paces himself by the clock has to sleep. The
 * clock can be set to another time. The true time goes on regardless.
 */
final class SimulatedClock extends Clock {
  private static final Duration A_LOOK = Duration.ofSeconds(1);

  /** As {@code ClockSteps} of the schedule has it. */
  private static final Duration NOTICED = Duration.ofSeconds(2);

  // All guarded by this.
  private Instant trueTime = Instant.parse("2029-01-01T00:00:00Z");

  /** By how much the clock is ahead of the true time; negative if it is behind. */
  private Duration ahead = Duration.ZERO;

  private boolean setBackSinceLastWatch;

  /** After so many looks the clock is set by {@link #next}; 0 for never. */
  private int looksUntilNext;

  private Duration next = Duration.ZERO;

  synchronized void pass(Duration duration) {
    trueTime = trueTime.plus(duration);
  }

  /** Sets the clock forward, or back if the duration is negative. */
  synchronized void set(Duration by) {
    ahead = ahead.plus(by);
    setBackSinceLastWatch |= by.negated().compareTo(NOTICED) > 0;
  }

  /** Sets the clock as {@link #set} does, between two looks of who is at work then. */
  synchronized void setAfter(int looks, Duration by) {
    looksUntilNext = looks;
    next = by;
  }

  /** By how much the clock must be set so that it shows the true time. */
  synchronized Duration correction() {
    return ahead.negated();
  }

  /**
   * Whether the clock was set back since the last watch. The schedule looks each second, so it
   * notices that also if the clock was set forward by more before.
   */
  synchronized boolean watch() {
    boolean setBack = setBackSinceLastWatch;
    setBackSinceLastWatch = false;
    return setBack;
  }

  /** What no setting changes: the time by which things happen. */
  synchronized Instant trueTime() {
    return trueTime;
  }

  /** What the clock shows. */
  synchronized Instant now() {
    return trueTime.plus(ahead);
  }

  @Override
  public synchronized Instant instant() {
    trueTime = trueTime.plus(A_LOOK);
    if (looksUntilNext > 0 && --looksUntilNext == 0) {
      set(next);
    }
    return now();
  }

  @Override
  public ZoneId getZone() {
    return ZoneOffset.UTC;
  }

  @Override
  public Clock withZone(ZoneId zone) {
    throw new UnsupportedOperationException("This clock knows one zone only");
  }
}
