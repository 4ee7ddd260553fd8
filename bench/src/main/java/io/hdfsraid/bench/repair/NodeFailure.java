package io.hdfsraid.bench.repair;

import io.hdfsraid.blockfixer.repair.RepairTally;
import java.util.Map;
import java.util.Optional;

/**
 * The cost of repairing the units of DataNodes that died together.
 *
 * @param killed how many
 * @param lostBlocks that were on them
 * @param bytesRead from replicas, as the DataNodes have counted it, with checksums
 * @param busiest how many times the mean of the DataNodes the one read that read most: with a limit
 *     for each, nothing can be faster than that one
 * @param seconds from the start of the repair round until the last stripe was whole
 * @param floorSeconds what a client took that read and wrote as much, where it was asked to
 * @param costs by number of units that a stripe had lost, as the daemon has counted it
 */
record NodeFailure(
    int killed,
    long lostBlocks,
    long bytesRead,
    double busiest,
    double seconds,
    Optional<Double> floorSeconds,
    Map<Integer, RepairTally.Cost> costs,
    RepairSplit.Shares split) {
  NodeFailure {
    costs = Map.copyOf(costs);
  }

  boolean single() {
    return killed == 1;
  }
}
