// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.repair;

import io.hdfsraid.blockfixer.repair.RepairTally;
import java.util.Map;
import java.util.Optional;

/**
 * The cost of repairing the units of DataNodes that died together.
 *
 * @param killed number of DataNodes that died
 * @param lostBlocks number of blocks on these DataNodes
 * @param bytesRead from replicas, as the DataNodes have counted it, with checksums
 * @param busiest bytes read by the busiest DataNode, as a multiple of the mean; with a limit for
 *     each DataNode, the busiest one bounds the time
 * @param seconds from the start of the repair round until the last stripe was whole
 * @param floorSeconds the time of a client that read and wrote as much, if it was measured
 * @param costs by number of units that a stripe had lost, as the daemon has counted it
 */
public record NodeFailure(
    int killed,
    long lostBlocks,
    long bytesRead,
    double busiest,
    double seconds,
    Optional<Double> floorSeconds,
    Map<Integer, RepairTally.Cost> costs,
    RepairSplit.Shares split) {
  public NodeFailure {
    costs = Map.copyOf(costs);
  }

  boolean single() {
    return killed == 1;
  }
}
