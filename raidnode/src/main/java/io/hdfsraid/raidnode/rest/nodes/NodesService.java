// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest.nodes;

import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.raidapi.nodes.NodesReport;
import io.hdfsraid.raidapi.nodes.NodesReport.Node;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.health.DataNodesWatch;
import io.hdfsraid.raidnode.health.DataNodesWatch.Seen;
import io.hdfsraid.raidnode.upkeep.NodeTallies;
import io.hdfsraid.raidnode.upkeep.NodeTallies.NodeTally;
import io.hdfsraid.raidnode.upkeep.PlacementJob;
import java.io.IOException;
import java.time.Clock;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * Lists the DataNodes. Asks the NameNode for its lists of nodes, and for no block; all else is what
 * the catalog knows.
 */
public class NodesService {
  private final DataNodesWatch dataNodes;
  private final ToLongFunction<DataNode> parityBytes;
  private final Catalog catalog;
  private final Clock clock;

  /**
   * @param parityBytes bytes of parity on a node, as they were last counted
   */
  public NodesService(
      DataNodesWatch dataNodes,
      ToLongFunction<DataNode> parityBytes,
      Catalog catalog,
      Clock clock) {
    this.dataNodes = dataNodes;
    this.parityBytes = parityBytes;
    this.catalog = catalog;
    this.clock = clock;
  }

  /** Returns all nodes that the NameNode knows. */
  public NodesReport nodes() throws IOException {
    Map<String, NodeTally> tallies = NodeTallies.last(catalog.notes());
    Map<String, Long> bad = catalog.rotten().byNode();
    List<Node> nodes =
        dataNodes.look().stream()
            .map(
                seen ->
                    node(
                        seen,
                        tallies.getOrDefault(seen.node().uuid(), NodeTally.NOTHING),
                        bad.getOrDefault(seen.node().uuid(), 0L)))
            .sorted(
                Comparator.comparing(Node::state)
                    .thenComparing(Comparator.comparingLong(Node::usedBytes).reversed())
                    .thenComparing(Node::node))
            .toList();
    return new NodesReport(clock.instant(), PlacementJob.countedAt(catalog.notes()), nodes);
  }

  private Node node(Seen seen, NodeTally tally, long bad) {
    return new Node(
        seen.node().address(),
        seen.node().host(),
        seen.node().rack(),
        seen.state(),
        seen.lastHeard(),
        seen.used(),
        seen.remaining(),
        tally.dataBytes(),
        parityBytes.applyAsLong(seen.node()),
        bad,
        tally.asked(),
        tally.read());
  }
}
