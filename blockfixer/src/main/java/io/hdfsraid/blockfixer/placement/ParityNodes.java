package io.hdfsraid.raidnode.raid;

import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.drfs.namespace.NodeState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Chooses where the parity of a stripe goes: m different nodes, first those that hold no replica of
 * the stripe's data (so that every data unit can keep one on a node of its own), then racks with
 * little of the stripe, then by chance, so that parity spreads evenly over the cluster.
 */
final class ParityNodes {
  private ParityNodes() {}

  /**
   * Returns m nodes in the order of the parity units.
   *
   * @param nodes at least m of them in service with room for {@code length} bytes
   * @param random decides among equals; seeded by the caller
   * @throws IllegalArgumentException when there are too few
   */
  static List<DataNode> choose(
      List<LocatedBlock> data, List<NodeState> nodes, int m, long length, Random random) {
    Map<DataNode, Integer> dataReplicas = new HashMap<>();
    for (LocatedBlock block : data) {
      for (Replica replica : block.live()) {
        dataReplicas.merge(replica.node(), 1, Integer::sum);
      }
    }
    Map<String, Integer> parityOnRack = new HashMap<>();
    Map<DataNode, Integer> lot = new HashMap<>();
    List<NodeState> free = new ArrayList<>();
    for (NodeState node : nodes) {
      if (node.inService() && node.remaining() > length) {
        free.add(node);
        lot.put(node.node(), random.nextInt());
      }
    }
    if (free.size() < m) {
      throw new IllegalArgumentException(
          "%d DataNodes in service have room for %d bytes, but a stripe needs %d for its parity"
              .formatted(free.size(), length, m));
    }
    List<DataNode> chosen = new ArrayList<>(m);
    for (int p = 0; p < m; p++) {
      NodeState best =
          free.stream()
              .min(
                  Comparator.<NodeState>comparingInt(
                          node -> dataReplicas.getOrDefault(node.node(), 0))
                      .thenComparingInt(node -> parityOnRack.getOrDefault(node.node().rack(), 0))
                      .thenComparingInt(node -> lot.get(node.node())))
              .orElseThrow();
      free.remove(best);
      chosen.add(best.node());
      parityOnRack.merge(best.node().rack(), 1, Integer::sum);
    }
    return chosen;
  }
}
