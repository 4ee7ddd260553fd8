package io.hdfsraid.blockfixer.placement;

import io.hdfsraid.drfs.namespace.NodeState;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.random.RandomGenerator;

/**
 * Draws lots among nodes that are equally good. Always the least loaded would send everything that
 * is placed at the same time to one node; the least loaded of a few that are drawn spreads nearly
 * as well.
 */
final class Lots {
  private static final int DRAWS = 3;

  private Lots() {}

  /**
   * One of the nodes whose cost is least, or no more than {@code same} above that.
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

  /** Of at least one node. */
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
