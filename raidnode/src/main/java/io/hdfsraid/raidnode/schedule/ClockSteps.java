// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.schedule;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.LongSupplier;

/** Notices when a clock is set back. Not safe for concurrent use. */
final class ClockSteps {
  /** The clock may be corrected by less at any time, and a look may be interrupted. */
  private static final Duration NOTICED = Duration.ofSeconds(2);

  private final Clock clock;
  private final LongSupplier nanos;
  private Instant lastTime;
  private long lastNanos;

  /**
   * @param nanos a clock that cannot be set, such as {@link System#nanoTime}
   */
  ClockSteps(Clock clock, LongSupplier nanos) {
    this.clock = clock;
    this.nanos = nanos;
    this.lastTime = clock.instant();
    this.lastNanos = nanos.getAsLong();
  }

  /** Returns by how much the clock was set back since the last call; empty if it was not. */
  Optional<Duration> setBack() {
    Instant time = clock.instant();
    long now = nanos.getAsLong();
    Duration passed = Duration.ofNanos(now - lastNanos);
    Duration back = passed.minus(Duration.between(lastTime, time));
    lastTime = time;
    lastNanos = now;
    return back.compareTo(NOTICED) > 0 ? Optional.of(back) : Optional.empty();
  }
}
