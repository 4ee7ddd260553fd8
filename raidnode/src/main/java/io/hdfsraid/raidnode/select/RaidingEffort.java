package io.hdfsraid.raidnode.select;

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntConsumer;

/**
 * The share of the tuning that raiding may use, in percent: the smallest share that a run under way
 * asks for, or 100 if none does. Safe for concurrent use.
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
