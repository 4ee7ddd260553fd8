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
 * Chooses where the parity of a stripe goes: m different nodes in service with room for it, away
 * from the nodes that will keep a data unit, in racks that hold no more of the stripe than they
 * have to, then the one of a few drawn by lot that holds least parity for its size. Safe for
 * concurrent use if the lots are.
 */
public final class ParityNodes {
  /** Next to nothing: the NameNode is not expected to keep that replica. */
  private static final double UNLIKELY = 0.02;

  /** So much of a node is left free where another one will do. */
  private static final double FULL = 0.05;

  private static final double AVOIDED = 0.5;

  /** Costs this close are the same: forecasts are not better than that. */
  private static final double SAME = 0.05;

  private final ParityBytes parity;

  public ParityNodes(ParityBytes parity) {
    this.parity = parity;
  }

  /**
   * What is to be placed.
   *
   * @param data the data units, as many as there are
   * @param odds for each of them, which node is likely to keep it
   * @param units m
   * @param length of each, in bytes
   * @param policy of the file, which the parity follows
   */
  public record Request(
      List<LocatedBlock> data,
      List<Map<DataNode, Double>> odds,
      int units,
      long length,
      StoragePolicy policy) {}

  /**
   * Returns m nodes in the order of the parity units.
   *
   * @param random decides among equals
   * @throws IllegalArgumentException when there are too few nodes
   */
  public List<DataNode> choose(Request request, List<NodeState> nodes, RandomGenerator random) {
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
          Lots.least(
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

  /** In moves that it may take to put it right. */
  private static double cost(
      NodeState state, Map<DataNode, Double> onNode, Map<String, Double> inRack, int rackLimit) {
    double shared = onNode.getOrDefault(state.node(), 0.0);
    double crowded = Math.max(0, inRack.getOrDefault(state.node().rack(), 0.0) + 1 - rackLimit);
    boolean full = state.remaining() < FULL * state.capacity();
    return shared + crowded + (full ? AVOIDED : 0);
  }

  /**
   * Nodes with the medium that the policy wants; with those it falls back to when these are few.
   */
  private static List<NodeState> withRoom(Request request, List<NodeState> nodes) {
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
