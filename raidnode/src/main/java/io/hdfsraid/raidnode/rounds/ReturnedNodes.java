package io.hdfsraid.raidnode.rounds;

import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.namespace.NodeState;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Notices DataNodes that have come, or come back. Safe for concurrent use. */
final class ReturnedNodes {
  /** A node that comes and goes shall not have everything judged anew each time. */
  private static final Duration NOT_MORE_OFTEN = Duration.ofMinutes(1);

  // All guarded by this.
  private Set<DataNode> present = Set.of();
  private boolean returned;
  private Optional<Instant> told = Optional.empty();

  /**
   * Whether any has come since this was last answered with yes; the first time all have.
   *
   * @param live nodes of now
   */
  synchronized boolean any(List<NodeState> live, Instant now) {
    Set<DataNode> nodes =
        live.stream().map(NodeState::node).collect(Collectors.toCollection(HashSet::new));
    returned |= !present.containsAll(nodes);
    present = nodes;
    if (!returned || told.filter(at -> at.plus(NOT_MORE_OFTEN).isAfter(now)).isPresent()) {
      return false;
    }
    returned = false;
    told = Optional.of(now);
    return true;
  }
}
