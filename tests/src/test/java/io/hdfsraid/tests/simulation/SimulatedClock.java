package io.hdfsraid.tests.simulation;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/**
 * Time passes when the simulation says so, and a second with each look: whoever works takes some,
 * and nobody who paces himself by the clock has to sleep.
 */
final class SimulatedClock extends Clock {
  private static final Duration A_LOOK = Duration.ofSeconds(1);

  private Instant now = Instant.parse("2029-01-01T00:00:00Z");

  synchronized void pass(Duration duration) {
    now = now.plus(duration);
  }

  synchronized Instant now() {
    return now;
  }

  @Override
  public synchronized Instant instant() {
    now = now.plus(A_LOOK);
    return now;
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
