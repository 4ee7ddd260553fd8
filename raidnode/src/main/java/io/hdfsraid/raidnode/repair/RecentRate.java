// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.repair;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * The rate of an activity in the last ten minutes, and a forecast of when the remaining work will
 * be done. Stores one sum for each minute. Safe for concurrent use.
 */
public final class RecentRate {
  private static final int MINUTES = 10;
  private static final double SECONDS_OF_MINUTE = 60;

  private final Clock clock;

  /** The sums, latest first; guarded by this. */
  private final Deque<Minute> minutes = new ArrayDeque<>();

  private record Minute(long number, long things, long bytes) {}

  public RecentRate(Clock clock) {
    this.clock = clock;
  }

  /** Records one more piece of work. */
  public synchronized void add(long bytes) {
    long now = minute(clock.instant());
    forgetBefore(now - MINUTES + 1);
    Minute latest = minutes.peekFirst();
    if (latest != null && latest.number() == now) {
      minutes.removeFirst();
      minutes.addFirst(new Minute(now, latest.things() + 1, latest.bytes() + bytes));
    } else {
      minutes.addFirst(new Minute(now, 1, bytes));
    }
  }

  /** Returns the pieces of work per minute; 0 if there were none recently. */
  public synchronized double perMinute() {
    return minutes(clock.instant()) == 0
        ? 0
        : minutes.stream().mapToLong(Minute::things).sum() / minutes(clock.instant());
  }

  /** Returns the bytes per second. */
  public synchronized long bytesPerSecond() {
    double known = minutes(clock.instant());
    return known == 0
        ? 0
        : Math.round(minutes.stream().mapToLong(Minute::bytes).sum() / known / SECONDS_OF_MINUTE);
  }

  /**
   * Returns when the remaining work will be done; empty if there was no work recently, or if
   * nothing is left.
   */
  public Optional<Instant> end(long left) {
    double rate = perMinute();
    return rate == 0 || left == 0
        ? Optional.empty()
        : Optional.of(
            clock.instant().plus(Duration.ofSeconds(Math.round(left / rate * SECONDS_OF_MINUTE))));
  }

  /** Returns how many minutes the sums cover, including the elapsed part of the present one. */
  private double minutes(Instant now) {
    forgetBefore(minute(now) - MINUTES + 1);
    if (minutes.isEmpty()) {
      return 0;
    }
    long whole = minute(now) - minutes.peekLast().number();
    return whole + Math.max(1, now.getEpochSecond() % 60) / SECONDS_OF_MINUTE;
  }

  private void forgetBefore(long number) {
    while (!minutes.isEmpty() && minutes.peekLast().number() < number) {
      minutes.removeLast();
    }
  }

  private static long minute(Instant time) {
    return Math.floorDiv(time.getEpochSecond(), 60);
  }
}
