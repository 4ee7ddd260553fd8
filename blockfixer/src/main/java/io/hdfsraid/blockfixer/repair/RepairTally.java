// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.blockfixer.repair;

import io.hdfsraid.blockfixer.repair.RepairOutcome.Repaired;
import java.util.Map;
import java.util.TreeMap;

/**
 * Counts the cost of repairs by the number of losses in the stripe. The benefit of a code shows in
 * single losses, which are by far the most frequent. Safe for concurrent use.
 */
public final class RepairTally {
  private final Map<Integer, Cost> costs = new TreeMap<>();

  /**
   * The cost of all repairs with the same number of losses.
   *
   * @param stripes number of repaired stripes
   * @param bytesRead bytes read from DataNodes for them
   */
  public record Cost(long stripes, long bytesRead) {
    Cost plus(Cost other) {
      return new Cost(stripes + other.stripes, bytesRead + other.bytesRead);
    }
  }

  public synchronized void add(Repaired repaired) {
    costs.merge(repaired.losses(), new Cost(1, repaired.bytesRead()), Cost::plus);
  }

  /** Returns a copy of the costs by number of losses, ascending. */
  public synchronized Map<Integer, Cost> byLosses() {
    return new TreeMap<>(costs);
  }
}
