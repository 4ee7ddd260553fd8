// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.repair;

import java.time.Duration;

/**
 * The delays and retries of repairs.
 *
 * @param delay how long a repair waits if the loss may be transient (its node does not answer) and
 *     the stripe is not at risk
 * @param retryAfter when a failed repair is tried again. The time doubles with each failure, up to
 *     an hour, or ten minutes for a stripe at risk
 * @param parkAfter number of failures in a row after which a repair is parked until an operator
 *     asks for it
 */
public record RepairSchedule(Duration delay, Duration retryAfter, int parkAfter) {
  private static final Duration LONGEST = Duration.ofHours(1);
  private static final Duration LONGEST_AT_RISK = Duration.ofMinutes(10);
  private static final int DOUBLINGS = 20;

  /** Returns the backoff after the given number of failures in a row. */
  Duration backOff(int failures, boolean atRisk) {
    int doublings = Math.min(DOUBLINGS, Math.max(0, failures - 1));
    return bounded(retryAfter.multipliedBy(1L << doublings), atRisk);
  }

  /** Returns the backoff for a delay that is not counted as a failure: half its duration so far. */
  Duration backOff(Duration lasted, boolean atRisk) {
    return bounded(retryAfter.isZero() ? retryAfter : lasted.dividedBy(2), atRisk);
  }

  private Duration bounded(Duration wanted, boolean atRisk) {
    Duration longest = atRisk ? LONGEST_AT_RISK : LONGEST;
    Duration bounded = wanted.compareTo(longest) > 0 ? longest : wanted;
    return bounded.compareTo(retryAfter) < 0 ? retryAfter : bounded;
  }
}
