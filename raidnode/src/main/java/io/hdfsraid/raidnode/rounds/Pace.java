package io.hdfsraid.raidnode.rounds;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * How fast something has gone of late, and when what is left will be done if it goes on so. Keeps
 * ten minutes, one sum for each. Safe for concurrent use.
 */
public final class Pace {
  private static final int MINUTES = 10;
  private static final double SECONDS_OF_MINUTE = 60;

  private final Clock clock;

  /** The latest first; guarded by this. */
  private final Deque<Minute> minutes = new ArrayDeque<>();

  private record Minute(long number, long things, long bytes) {}

  public Pace(Clock clock) {
    this.clock = clock;
  }

  /** One more is done. */
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

  /** How many in a minute; 0 when there was none of late. */
  public synchronized double perMinute() {
    return minutes(clock.instant()) == 0
        ? 0
        : minutes.stream().mapToLong(Minute::things).sum() / minutes(clock.instant());
  }

  /** How many bytes in a second. */
  public synchronized long bytesPerSecond() {
    double known = minutes(clock.instant());
    return known == 0
        ? 0
        : Math.round(minutes.stream().mapToLong(Minute::bytes).sum() / known / SECONDS_OF_MINUTE);
  }

  /** When so many more will be done; empty when nothing was of late, or nothing is left. */
  public Optional<Instant> end(long left) {
    double rate = perMinute();
    return rate == 0 || left == 0
        ? Optional.empty()
        : Optional.of(
            clock.instant().plus(Duration.ofSeconds(Math.round(left / rate * SECONDS_OF_MINUTE))));
  }

  /** For how many minutes the sums stand, the present one counted as far as it has come. */
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
