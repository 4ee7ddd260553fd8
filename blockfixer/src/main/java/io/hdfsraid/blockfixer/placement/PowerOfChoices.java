// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.blockfixer.placement;

import io.hdfsraid.drfs.namespace.NodeState;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.random.RandomGenerator;

/**
 * Load balancing by the power of random choices. Always choosing the least loaded node would send
 * everything that is placed at the same time to one node. The least loaded of a few random nodes
 * spreads the load nearly as well.
 */
final class PowerOfChoices {
  private static final int DRAWS = 3;

  private PowerOfChoices() {}

  /**
   * Returns one of the nodes whose cost is at most {@code same} above the minimum.
   *
   * @param nodes at least one
   */
  static NodeState least(
      List<NodeState> nodes,
      ToDoubleFunction<NodeState> cost,
      double same,
      ToDoubleFunction<NodeState> load,
      RandomGenerator random) {
    double[] costs = nodes.stream().mapToDouble(cost).toArray();
    double least = Double.POSITIVE_INFINITY;
    for (double each : costs) {
      least = Math.min(least, each);
    }
    List<NodeState> best = new ArrayList<>();
    for (int i = 0; i < costs.length; i++) {
      if (costs[i] <= least + same) {
        best.add(nodes.get(i));
      }
    }
    return lessLoadedOfFew(best, load, random);
  }

  /** Returns the least loaded of a few random nodes. */
  static NodeState lessLoadedOfFew(
      List<NodeState> nodes, ToDoubleFunction<NodeState> load, RandomGenerator random) {
    NodeState best = nodes.get(random.nextInt(nodes.size()));
    for (int draw = 1; draw < DRAWS; draw++) {
      NodeState other = nodes.get(random.nextInt(nodes.size()));
      if (load.applyAsDouble(other) < load.applyAsDouble(best)) {
        best = other;
      }
    }
    return best;
  }
}
