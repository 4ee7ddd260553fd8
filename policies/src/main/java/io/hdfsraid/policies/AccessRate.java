// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.policies;

import java.time.Duration;
import java.time.Instant;

/**
 * The frequency at which a file is opened, in three numbers instead of a list of times. Every
 * access counts 1 when it happens, and half as much after each half-life: with accesses at times
 * {@code t}, the count at time {@code T} is the sum of {@code 2^-((T - t) / halfLife)}.
 *
 * <p>A file that is opened evenly, {@code r} times a second, has a count of {@code r * halfLife /
 * ln 2} in the long run. So the number of accesses within a window is estimated as
 *
 * <pre>count * window * ln 2 / halfLife</pre>
 *
 * The estimate is right for even use, and for windows about as long as the half-life. A burst of n
 * accesses just now is estimated as {@code 0.7 n} in a window of one half-life, and as {@code 0.1
 * n} in a window of a seventh of it: for windows much shorter than the half-life the estimate is an
 * average over the half-life.
 *
 * @param smoothedCount the count at this time
 * @param at the time of the count
 */
public record AccessRate(double smoothedCount, Instant at, Duration halfLife) {
  private static final double LN_2 = Math.log(2);

  public AccessRate {
    if (!(smoothedCount >= 0) || Double.isInfinite(smoothedCount)) {
      throw new IllegalArgumentException("A count must be 0 or more, but is " + smoothedCount);
    }
    if (halfLife.isNegative() || halfLife.isZero()) {
      throw new IllegalArgumentException("A half-life must be above 0, but is " + halfLife);
    }
  }

  /** Returns the rate of a file that was never opened. */
  public static AccessRate none(Instant at, Duration halfLife) {
    return new AccessRate(0, at, halfLife);
  }

  /** The rate with one more access; those may come in any order. */
  public AccessRate plus(Instant access) {
    return access.isBefore(at)
        ? new AccessRate(smoothedCount + decay(access, at), at, halfLife)
        : new AccessRate(count(access) + 1, access, halfLife);
  }

  /** The rate without the accesses that had been counted at an earlier look at the same count. */
  public AccessRate since(AccessRate earlier) {
    double gone = earlier.smoothedCount * decay(earlier.at, at);
    return new AccessRate(Math.max(0, smoothedCount - gone), at, halfLife);
  }

  /** The count at a later time; before {@link #at}, where a clock went back, as it was then. */
  public double count(Instant now) {
    return smoothedCount * decay(at, now);
  }

  /** About how many accesses there were within this window before now. */
  public double within(Duration window, Instant now) {
    return count(now) * LN_2 * halfLives(window);
  }

  /**
   * As {@link #within(Duration, Instant)}, for a count that begins at a known time: what could not
   * be counted before does not make the estimate smaller.
   */
  public double within(Duration window, Instant now, Instant counting) {
    Duration counted = Duration.between(counting, now);
    if (counted.isNegative() || counted.isZero()) {
      return 0;
    }
    double evenly = within(window.compareTo(counted) < 0 ? window : counted, now);
    return evenly / -Math.expm1(-LN_2 * halfLives(counted));
  }

  /**
   * Returns when {@link #within} will have fallen to this value if the file is not opened again;
   * {@code now} if it already has.
   */
  Instant fallsTo(double times, Duration window, Instant now) {
    double estimate = within(window, now);
    if (estimate <= times || times <= 0) {
      return now;
    }
    double lives = Math.log(estimate / times) / LN_2;
    return now.plusMillis((long) Math.ceil(lives * halfLife.toMillis()));
  }

  private double decay(Instant from, Instant to) {
    return to.isAfter(from) ? Math.exp(-LN_2 * halfLives(Duration.between(from, to))) : 1;
  }

  private double halfLives(Duration time) {
    return (double) time.toMillis() / Math.max(1, halfLife.toMillis());
  }
}
