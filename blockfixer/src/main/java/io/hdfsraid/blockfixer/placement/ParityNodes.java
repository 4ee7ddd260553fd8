// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.blockfixer.placement;

import io.hdfsraid.blockfixer.plan.RackLimit;
import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.drfs.namespace.NodeState;
import io.hdfsraid.drfs.namespace.StoragePolicy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * Selects the nodes for the parity of a stripe: m different nodes in service with room, away from
 * the nodes that will keep a data unit, and in racks that do not hold too many units of the stripe.
 * Among equal nodes it takes, of a few random ones, the node with the least parity relative to its
 * capacity. Safe for concurrent use if the random generator is.
 */
public final class ParityNodes {
  /** The cost of a replica that the NameNode is not expected to keep. */
  private static final double UNLIKELY = 0.02;

  /** The share of a node that is kept free if another node will do. */
  private static final double FULL = 0.05;

  private static final double AVOIDED = 0.5;

  /** Costs within this range count as equal, because forecasts are not more precise. */
  private static final double SAME = 0.05;

  private final ParityBytes parity;

  public ParityNodes(ParityBytes parity) {
    this.parity = parity;
  }

  /**
   * The parity to place.
   *
   * @param data the data units of the stripe
   * @param odds for each data unit, the probability that a node keeps it
   * @param units m
   * @param length the length of each parity unit in bytes
   * @param policy the storage policy of the file, which the parity follows
   */
  public record PlacementRequest(
      List<LocatedBlock> data,
      List<Map<DataNode, Double>> odds,
      int units,
      long length,
      StoragePolicy policy) {}

  /**
   * Returns m nodes in the order of the parity units.
   *
   * @param random decides among equals
   * @throws IllegalArgumentException if there are too few nodes
   */
  public List<DataNode> choose(
      PlacementRequest request, List<NodeState> nodes, RandomGenerator random) {
    List<NodeState> free = withRoom(request, nodes);
    Map<DataNode, Double> onNode = new HashMap<>();
    Map<String, Double> inRack = new HashMap<>();
    for (Map<DataNode, Double> odds : request.odds()) {
      odds.forEach(
          (node, likely) -> {
            onNode.merge(node, likely, Double::sum);
            inRack.merge(node.rack(), likely, Double::sum);
          });
    }
    for (LocatedBlock block : request.data()) {
      for (Replica replica : block.live()) {
        onNode.merge(replica.node(), UNLIKELY, Double::sum);
      }
    }
    int rackLimit = RackLimit.of(request.data().size() + request.units(), nodes);
    List<DataNode> chosen = new ArrayList<>(request.units());
    while (chosen.size() < request.units()) {
      NodeState best =
          PowerOfChoices.least(
              free,
              state -> cost(state, onNode, inRack, rackLimit),
              SAME,
              parity::parityLoad,
              random);
      free.remove(best);
      chosen.add(best.node());
      inRack.merge(best.node().rack(), 1.0, Double::sum);
      parity.added(best.node(), request.length());
    }
    return chosen;
  }

  /** Returns the expected number of moves that a choice causes later. */
  private static double cost(
      NodeState state, Map<DataNode, Double> onNode, Map<String, Double> inRack, int rackLimit) {
    double shared = onNode.getOrDefault(state.node(), 0.0);
    double crowded = Math.max(0, inRack.getOrDefault(state.node().rack(), 0.0) + 1 - rackLimit);
    boolean full = state.remaining() < FULL * state.capacity();
    return shared + crowded + (full ? AVOIDED : 0);
  }

  /**
   * Returns the nodes with the preferred medium of the policy, and with its fallbacks if there are
   * too few.
   */
  private static List<NodeState> withRoom(PlacementRequest request, List<NodeState> nodes) {
    Map<DataNode, NodeState> free = new LinkedHashMap<>();
    for (String medium : request.policy().media()) {
      for (NodeState state : nodes) {
        if (state.inService() && state.room(medium) > request.length()) {
          free.putIfAbsent(state.node(), state);
        }
      }
      if (free.size() >= request.units()) {
        return new ArrayList<>(free.values());
      }
    }
    throw new IllegalArgumentException(
        "%d DataNodes in service have room for %d bytes on %s, but a stripe needs %d for its parity"
            .formatted(
                free.size(),
                request.length(),
                String.join(" or ", request.policy().media()),
                request.units()));
  }
}
