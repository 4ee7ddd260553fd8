// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.repair;

import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.namespace.NodeState;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Detects DataNodes that are new or have returned. Safe for concurrent use. */
final class ReturnedNodes {
  /** A node that comes and goes must not cause an evaluation of all stripes each time. */
  private static final Duration NOT_MORE_OFTEN = Duration.ofMinutes(1);

  // All guarded by this.
  private Set<DataNode> present = Set.of();
  private boolean returned;
  private Optional<Instant> told = Optional.empty();

  /**
   * Whether a node has come since the last positive answer. The first answer is positive.
   *
   * @param live the present live nodes
   */
  synchronized boolean any(List<NodeState> live, Instant now) {
    Set<DataNode> nodes =
        live.stream().map(NodeState::node).collect(Collectors.toCollection(HashSet::new));
    returned |= !present.containsAll(nodes);
    present = nodes;
    boolean lately =
        told.filter(at -> !at.isAfter(now) && at.plus(NOT_MORE_OFTEN).isAfter(now)).isPresent();
    if (!returned || lately) {
      return false;
    }
    returned = false;
    told = Optional.of(now);
    return true;
  }
}
