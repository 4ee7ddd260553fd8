package io.hdfsraid.raidnode.catalog.namespace;

import java.time.Duration;

/**
 * How often a file is used: each access counts one, and half as much after each half-life. Of all
 * accesses to a file, one number is kept, which is what they amount to at the last of them.
 *
 * @param halfLife after which an access counts half
 * @param precision the grain of the access times that HDFS records: of times that differ by less,
 *     only the first is an access
 * @param eachIsTold each access is told by itself: then access times that HDFS records tell of none
 *     besides
 */
public record Smoothing(Duration halfLife, Duration precision, boolean eachIsTold) {
  public static final Smoothing USUAL =
      new Smoothing(Duration.ofDays(30), Duration.ofHours(1), false);

  public Smoothing {
    if (halfLife.toMillis() < 1 || precision.isNegative()) {
      throw new IllegalArgumentException(
          "Accesses need a half-life of 1 ms or more and a precision of 0 or more, but got %s and %s"
              .formatted(halfLife, precision));
    }
  }

  /** The same where each access is told by itself, or none is. */
  public Smoothing telling(boolean each) {
    return new Smoothing(halfLife, precision, each);
  }

  /** What one access counts after this time. */
  double after(long millis) {
    return Math.pow(2, -(double) millis / halfLife.toMillis());
  }
}
