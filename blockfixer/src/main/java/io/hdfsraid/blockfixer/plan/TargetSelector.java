package io.hdfsraid.blockfixer.plan;

import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.namespace.NodeState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * Selects the node for a rebuilt unit: a node without another unit of the stripe if possible, then
 * a node in the rack with the fewest units of the stripe, then the emptier of two random nodes.
 * Always taking the emptiest node would send all repairs of a storm to the same node. Safe for
 * concurrent use.
 */
public final class TargetSelector {
  private final RandomGenerator random;

  public TargetSelector(RandomGenerator random) {
    this.random = random;
  }

  /**
   * Selects the best node; a crowded one if there is no better.
   *
   * @param bytes room that the node must have
   * @param excluded nodes that hold a replica of the block, good or bad, or have failed
   * @return empty if no node in service has room
   */
  public Optional<DeliveryTarget> choose(
      Occupancy occupancy, int unit, long bytes, Set<DataNode> excluded, List<NodeState> nodes) {
    List<NodeState> best = new ArrayList<>();
    Crowd least = null;
    for (NodeState state : nodes) {
      if (state.inService() && hasRoom(state, bytes) && !excluded.contains(state.node())) {
        Crowd crowd =
            new Crowd(
                occupancy.othersOn(state.node(), unit),
                occupancy.othersIn(state.node().rack(), unit));
        int order = least == null ? -1 : crowd.compareTo(least);
        if (order < 0) {
          best.clear();
          least = crowd;
        }
        if (order <= 0) {
          best.add(state);
        }
      }
    }
    return best.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new DeliveryTarget(emptierOfTwo(best).node(), least.onNode(), least.inRack()));
  }

  /**
   * The number of units already there. Fewer are better, and sharing a node is worse than any rack.
   */
  private record Crowd(int onNode, int inRack) implements Comparable<Crowd> {
    private static final Comparator<Crowd> ORDER =
        Comparator.comparingInt(Crowd::onNode).thenComparingInt(Crowd::inRack);

    @Override
    public int compareTo(Crowd other) {
      return ORDER.compare(this, other);
    }
  }

  private static boolean hasRoom(NodeState state, long bytes) {
    return state.remaining() >= bytes + bytes / 64; // plus its checksums
  }

  private synchronized NodeState emptierOfTwo(List<NodeState> nodes) {
    NodeState one = nodes.get(random.nextInt(nodes.size()));
    NodeState other = nodes.get(random.nextInt(nodes.size()));
    return free(one) >= free(other) ? one : other;
  }

  private static double free(NodeState state) {
    double capacity = (double) state.remaining() + state.used();
    return capacity == 0 ? 0 : state.remaining() / capacity;
  }
}
