// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.select;

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntConsumer;

/**
 * The share of the tuning that raiding may use, in percent: the smallest share that a current run
 * asks for, or 100 if there is none. Safe for concurrent use.
 */
final class RaidingEffort {
  private static final int UNBOUNDED = 100;

  private final IntConsumer pools;
  private final Map<Object, Integer> wanted = new HashMap<>();

  /**
   * Creates an effort without a bound.
   *
   * @param pools receives each new share; the calls do not overlap
   */
  RaidingEffort(IntConsumer pools) {
    this.pools = pools;
  }

  synchronized void begins(Object run) {
    wanted.put(run, UNBOUNDED);
  }

  /** Bounds the effort of a run. A last task of a run that has ended has no effect. */
  synchronized void wants(Object run, int percent) {
    if (wanted.replace(run, percent) != null) {
      tell();
    }
  }

  synchronized void ended(Object run) {
    wanted.remove(run);
    tell();
  }

  private void tell() {
    pools.accept(wanted.isEmpty() ? UNBOUNDED : Collections.min(wanted.values()));
  }
}
