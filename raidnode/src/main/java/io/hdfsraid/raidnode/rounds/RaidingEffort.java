package io.hdfsraid.raidnode.rounds;

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntConsumer;

/**
 * How hard raiding works, in percent of what the tuning allows: as the most sparing of the rounds
 * that are under way wants it, and unbounded when there is none. Safe for concurrent use.
 */
final class RaidingEffort {
  private static final int UNBOUNDED = 100;

  private final IntConsumer pools;
  private final Map<Object, Integer> wanted = new HashMap<>();

  /**
   * Unbounded at first.
   *
   * @param pools is told each time, one after another
   */
  RaidingEffort(IntConsumer pools) {
    this.pools = pools;
  }

  synchronized void begins(Object round) {
    wanted.put(round, UNBOUNDED);
  }

  /** Of a round that has ended, what a last task of it wants counts for nothing. */
  synchronized void wants(Object round, int percent) {
    if (wanted.replace(round, percent) != null) {
      tell();
    }
  }

  synchronized void ended(Object round) {
    wanted.remove(round);
    tell();
  }

  private void tell() {
    pools.accept(wanted.isEmpty() ? UNBOUNDED : Collections.min(wanted.values()));
  }
}
