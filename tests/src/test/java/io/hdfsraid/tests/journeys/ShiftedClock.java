// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.journeys;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** The clock of a machine that somebody sets: off by a difference, both ways. */
public final class ShiftedClock extends Clock {
  private final Clock right;
  private volatile Duration off = Duration.ZERO;

  public ShiftedClock(Clock right) {
    this.right = right;
  }

  /** Sets how far the clock is ahead of the time from now on. */
  public void setOff(Duration difference) {
    off = difference;
  }

  /** Returns how far the clock is ahead of the time. */
  public Duration off() {
    return off;
  }

  @Override
  public Instant instant() {
    return right.instant().plus(off);
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
