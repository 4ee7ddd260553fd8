package io.hdfsraid.raidnode.rest.nodes;

import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.namespace.Namespace;
import io.hdfsraid.drfs.namespace.NodeState;
import io.hdfsraid.drfs.namespace.UnresponsiveNode;
import io.hdfsraid.raidapi.nodes.NodesReport;
import io.hdfsraid.raidapi.nodes.NodesReport.Node;
import io.hdfsraid.raidapi.nodes.NodesReport.State;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/** Lists the DataNodes. Asks the NameNode for its lists of nodes, and for no block. */
public class NodesService {
  private static final Duration SILENCE = Duration.ofMinutes(1);

  private final Namespace namespace;
  private final ToLongFunction<DataNode> parityBytes;
  private final Supplier<Optional<Instant>> parityCountedAt;
  private final Clock clock;

  /**
   * @param parityBytes bytes of parity on a node, as they were last counted
   * @param parityCountedAt when that was
   */
  public NodesService(
      Namespace namespace,
      ToLongFunction<DataNode> parityBytes,
      Supplier<Optional<Instant>> parityCountedAt,
      Clock clock) {
    this.namespace = namespace;
    this.parityBytes = parityBytes;
    this.parityCountedAt = parityCountedAt;
    this.clock = clock;
  }

  /** Returns all nodes that the NameNode knows. */
  public NodesReport nodes() throws IOException {
    Map<DataNode, Node> found = new HashMap<>();
    Map<DataNode, UnresponsiveNode> silent = new HashMap<>();
    for (UnresponsiveNode node : namespace.staleNodes(SILENCE)) {
      silent.put(node.node(), node);
    }
    for (NodeState state : namespace.nodes()) {
      found.put(state.node(), live(state, Optional.ofNullable(silent.get(state.node()))));
    }
    for (UnresponsiveNode dead : namespace.deadNodes()) {
      found.put(dead.node(), node(dead.node(), State.DEAD, Optional.of(dead.lastHeard()), 0, 0));
    }
    List<Node> nodes = new ArrayList<>(found.values());
    nodes.sort(
        Comparator.comparing(Node::state)
            .thenComparing(Comparator.comparingLong(Node::usedBytes).reversed())
            .thenComparing(Node::node));
    return new NodesReport(clock.instant(), parityCountedAt.get(), nodes);
  }

  private Node live(NodeState state, Optional<UnresponsiveNode> silent) {
    State shown = state.inService() ? State.LIVE : State.OUT_OF_SERVICE;
    return node(
        state.node(),
        silent.isPresent() ? State.SILENT : shown,
        silent.map(UnresponsiveNode::lastHeard),
        state.used(),
        state.remaining());
  }

  private Node node(
      DataNode node, State state, Optional<Instant> lastHeard, long used, long remaining) {
    return new Node(
        node.address(),
        node.host(),
        node.rack(),
        state,
        lastHeard,
        used,
        remaining,
        parityBytes.applyAsLong(node));
  }
}
