// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** A clock that stands still until it is told how much time has passed. */
public final class SettableClock extends Clock {
  private Instant now;

  public SettableClock(Instant now) {
    this.now = now;
  }

  public void pass(Duration time) {
    now = now.plus(time);
  }

  @Override
  public Instant instant() {
    return now;
  }

  @Override
  public ZoneId getZone() {
    return ZoneOffset.UTC;
  }

  @Override
  public Clock withZone(ZoneId zone) {
    return this;
  }
}
