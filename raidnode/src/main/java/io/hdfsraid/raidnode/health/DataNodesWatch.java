// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.health;

import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.namespace.Namespace;
import io.hdfsraid.drfs.namespace.NodeState;
import io.hdfsraid.drfs.namespace.UnresponsiveNode;
import io.hdfsraid.raidapi.nodes.NodesReport.State;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Asks the NameNode for its lists of DataNodes, and remembers their sums: the status must not wait
 * for a NameNode that does not answer. Safe for concurrent use.
 */
public final class DataNodesWatch {
  private static final Duration SILENCE = Duration.ofMinutes(1);

  private final Namespace namespace;
  private final Clock clock;
  private volatile Optional<Sums> sums = Optional.empty();

  /**
   * A DataNode.
   *
   * @param lastHeard empty unless the node is dead or silent, and if it was never heard
   * @param used bytes that HDFS stores on it; 0 if it is dead
   * @param remaining bytes that HDFS may still store on it; 0 if it is dead
   */
  public record Seen(
      DataNode node, State state, Optional<Instant> lastHeard, long used, long remaining) {}

  /**
   * The sums over all DataNodes.
   *
   * @param nodes number of nodes in each state
   * @param used bytes that HDFS stores
   * @param remaining bytes that HDFS may still store on nodes in service
   */
  public record Sums(Instant checked, Map<State, Long> nodes, long used, long remaining) {
    public Sums {
      nodes = Map.copyOf(nodes);
    }
  }

  public DataNodesWatch(Namespace namespace, Clock clock) {
    this.namespace = namespace;
    this.clock = clock;
  }

  /** Returns the sums of the last look; empty if there was none. */
  public Optional<Sums> sums() {
    return sums;
  }

  /** Returns all DataNodes that the NameNode knows, in no order. */
  public List<Seen> look() throws IOException {
    Map<DataNode, Seen> found = new HashMap<>();
    Map<DataNode, UnresponsiveNode> silent = new HashMap<>();
    for (UnresponsiveNode node : namespace.staleNodes(SILENCE)) {
      silent.put(node.node(), node);
    }
    for (NodeState state : namespace.nodes()) {
      found.put(state.node(), live(state, Optional.ofNullable(silent.get(state.node()))));
    }
    for (UnresponsiveNode dead : namespace.deadNodes()) {
      found.put(dead.node(), new Seen(dead.node(), State.DEAD, heard(dead), 0, 0));
    }
    List<Seen> nodes = List.copyOf(found.values());
    sums = Optional.of(sum(nodes));
    return nodes;
  }

  private static Optional<Instant> heard(UnresponsiveNode node) {
    return Optional.of(node.lastHeard()).filter(Instant.EPOCH::isBefore);
  }

  private static Seen live(NodeState state, Optional<UnresponsiveNode> silent) {
    State shown = state.inService() ? State.LIVE : State.OUT_OF_SERVICE;
    return new Seen(
        state.node(),
        silent.isPresent() ? State.SILENT : shown,
        silent.flatMap(DataNodesWatch::heard),
        state.used(),
        state.remaining());
  }

  private Sums sum(List<Seen> nodes) {
    Map<State, Long> counts = new HashMap<>();
    long used = 0;
    long remaining = 0;
    for (Seen node : nodes) {
      counts.merge(node.state(), 1L, Long::sum);
      used += node.used();
      remaining += node.state() == State.OUT_OF_SERVICE ? 0 : node.remaining();
    }
    return new Sums(clock.instant(), counts, used, remaining);
  }
}
