// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.upkeep;

import java.time.Duration;
import java.time.Instant;

/**
 * The share of all parity whose daily turn falls between two times. Each id has its turn at the
 * same time of each day, spread evenly over the day, so nothing has to be remembered.
 *
 * @param after when the last share ended
 * @param until now
 */
public record DailyTurn(Instant after, Instant until) {
  private static final long DAY = Duration.ofDays(1).toMillis();

  /** Returns whether all parity has its turn: after a day, or if the clock was set back. */
  public boolean isOfAll() {
    return waited() < 0 || waited() >= DAY;
  }

  /** Returns whether the parity has its turn. */
  public boolean isOf(long id) {
    long turn = Math.floorMod(spread(id), DAY);
    return isOfAll() || Math.floorMod(turn - after.toEpochMilli(), DAY) < waited();
  }

  private long waited() {
    return until.toEpochMilli() - after.toEpochMilli();
  }

  /** The finalizer of splitmix64: neighbouring ids get turns far from each other. */
  private static long spread(long id) {
    long z = (id ^ (id >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }
}
