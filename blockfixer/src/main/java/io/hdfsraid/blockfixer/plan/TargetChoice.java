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
 * Chooses the node for a unit: first of all one without another unit of the stripe, then in the
 * rack with fewest of them, then the emptier of two at random (always the emptiest would send every
 * repair of a storm to the same node). Safe for concurrent use.
 */
public final class TargetChoice {
  private final RandomGenerator random;

  public TargetChoice(RandomGenerator random) {
    this.random = random;
  }

  /**
   * The best place there is, a crowded one rather than none.
   *
   * @param bytes the node must have room for
   * @param excluded nodes that hold something under the block's id, or have failed
   * @return empty when no node in service has room
   */
  public Optional<Target> choose(
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
        : Optional.of(new Target(emptierOfTwo(best).node(), least.onNode(), least.inRack()));
  }

  /** How many units are there already; fewer is better, and sharing a node worse than any rack. */
  private record Crowd(int onNode, int inRack) implements Comparable<Crowd> {
    private static final Comparator<Crowd> ORDER =
        Comparator.comparingInt(Crowd::onNode).thenComparingInt(Crowd::inRack);

    @Override
    public int compareTo(Crowd other) {
      return ORDER.compare(this, other);
    }
  }

  private static boolean hasRoom(NodeState state, long bytes) {
    return state.remaining() >= bytes + bytes / 64; // and its checksums
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
