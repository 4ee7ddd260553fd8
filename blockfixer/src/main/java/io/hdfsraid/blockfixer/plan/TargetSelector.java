// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.blockfixer.plan;

import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.namespace.NodeState;
import io.hdfsraid.drfs.namespace.StorageState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * Selects the node for a rebuilt unit: a node with room on the wanted medium, without another unit
 * of the stripe if possible, then a node in the rack with the fewest units of the stripe, then the
 * emptier of two random nodes. Always taking the emptiest node would send all repairs of a storm to
 * the same node. Safe for concurrent use.
 */
public final class TargetSelector {
  private final RandomGenerator random;

  public TargetSelector(RandomGenerator random) {
    this.random = random;
  }

  /**
   * Selects the best node; a crowded one if there is no better.
   *
   * @param bytes room that one volume of the node must have
   * @param media the media for the unit, best first; the next one is used only if no node has room
   *     on the one before. A DataNode refuses a replica for a medium that it does not have
   * @param excluded nodes that hold a replica of the block, good or bad, or have failed
   * @return empty if no node in service has room
   */
  public Optional<DeliveryTarget> choose(
      Occupancy occupancy,
      int unit,
      long bytes,
      List<String> media,
      Set<DataNode> excluded,
      List<NodeState> nodes) {
    for (String medium : media) {
      List<NodeState> possible =
          nodes.stream()
              .filter(NodeState::inService)
              .filter(state -> hasRoom(state, medium, bytes))
              .filter(state -> !excluded.contains(state.node()))
              .toList();
      if (!possible.isEmpty()) {
        return Optional.of(leastCrowded(occupancy, unit, medium, possible));
      }
    }
    return Optional.empty();
  }

  private DeliveryTarget leastCrowded(
      Occupancy occupancy, int unit, String medium, List<NodeState> nodes) {
    List<NodeState> best = new ArrayList<>();
    Crowd least = null;
    for (NodeState state : nodes) {
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
    DataNode node = emptierOfTwo(best, medium).node();
    return new DeliveryTarget(node, medium, least.onNode(), least.inRack());
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

  private static boolean hasRoom(NodeState state, String medium, long bytes) {
    return state.room(medium) >= bytes + bytes / 64; // plus its checksums
  }

  private synchronized NodeState emptierOfTwo(List<NodeState> nodes, String medium) {
    NodeState one = nodes.get(random.nextInt(nodes.size()));
    NodeState other = nodes.get(random.nextInt(nodes.size()));
    return free(one, medium) >= free(other, medium) ? one : other;
  }

  private static double free(NodeState state, String medium) {
    double remaining = 0;
    double capacity = 0;
    for (StorageState storage : state.storages()) {
      if (storage.type().equals(medium)) {
        remaining += storage.remaining();
        capacity += (double) storage.remaining() + storage.used();
      }
    }
    return capacity == 0 ? 0 : remaining / capacity;
  }
}
