package io.hdfsraid.recency.index;

import java.time.Duration;

/**
 * How the access count of a file decays: each access counts one at first and half as much after
 * each half-life. One number is kept per file, the sum as of its last access.
 *
 * @param halfLife the time after which an access counts half
 * @param precision the precision of the access times that HDFS records; times that differ by less
 *     belong to one access
 * @param eachIsReported whether an audit log reports each access; recorded access times are not
 *     counted then
 */
public record AccessDecay(Duration halfLife, Duration precision, boolean eachIsReported) {
  public static final AccessDecay USUAL =
      new AccessDecay(Duration.ofDays(30), Duration.ofHours(1), false);

  public AccessDecay {
    if (halfLife.toMillis() < 1 || precision.isNegative()) {
      throw new IllegalArgumentException(
          "Accesses need a half-life of 1 ms or more and a precision of 0 or more, but got %s and %s"
              .formatted(halfLife, precision));
    }
  }

  /** Returns the same decay with another {@code eachIsReported}. */
  public AccessDecay reporting(boolean each) {
    return new AccessDecay(halfLife, precision, each);
  }

  /** Returns what one access counts after the given time. */
  double after(long millis) {
    return Math.pow(2, -(double) millis / halfLife.toMillis());
  }
}
