// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.index;

import java.time.Duration;

/**
 * How the access count of a file decays: each access counts one at first and half as much after
 * each half-life. One number is kept per file, the sum as of its last access.
 *
 * @param halfLife the time after which an access counts half
 * @param precision the precision of the access times that HDFS records; times that differ by less
 *     belong to one access
 * @param reportedSince the time in milliseconds since 1970 from which an audit log reports each
 *     access; {@link #NEVER} if none does. An access time of then or later is no evidence: it may
 *     be that of a read that does not count, and all others are reported
 */
public record AccessDecay(Duration halfLife, Duration precision, long reportedSince) {
  static final long NEVER = Long.MAX_VALUE;

  public static final AccessDecay USUAL =
      new AccessDecay(Duration.ofDays(30), Duration.ofHours(1), NEVER);

  public AccessDecay {
    if (halfLife.toMillis() < 1 || precision.isNegative()) {
      throw new IllegalArgumentException(
          "Accesses need a half-life of 1 ms or more and a precision of 0 or more, but got %s and %s"
              .formatted(halfLife, precision));
    }
  }

  /** Returns the same decay with another time from which each access is reported. */
  AccessDecay reportingSince(long millis) {
    return new AccessDecay(halfLife, precision, millis);
  }

  boolean eachIsReported() {
    return reportedSince != NEVER;
  }

  /** Returns whether an access time that HDFS has recorded tells of an access that counts. */
  boolean isEvidence(long recorded) {
    return recorded < reportedSince;
  }

  /** Returns what one access counts after the given time. */
  double after(long millis) {
    return Math.pow(2, -(double) millis / halfLife.toMillis());
  }
}
