package io.hdfsraid.blockfixer.repair;

import io.hdfsraid.blockfixer.repair.RepairOutcome.Repaired;
import java.util.Map;
import java.util.TreeMap;

/**
 * What repairs have cost, by number of losses in the stripe: what a code saves shows in the single
 * losses, which are nearly all there are. Safe for concurrent use.
 */
public final class RepairTally {
  private final Map<Integer, Cost> costs = new TreeMap<>();

  /**
   * Cost of all repairs of one kind.
   *
   * @param stripes that were repaired
   * @param bytesRead from DataNodes for it
   */
  public record Cost(long stripes, long bytesRead) {
    Cost plus(Cost other) {
      return new Cost(stripes + other.stripes, bytesRead + other.bytesRead);
    }
  }

  public synchronized void add(Repaired repaired) {
    costs.merge(repaired.losses(), new Cost(1, repaired.bytesRead()), Cost::plus);
  }

  /** By number of losses, ascending; a copy. */
  public synchronized Map<Integer, Cost> byLosses() {
    return new TreeMap<>(costs);
  }
}
