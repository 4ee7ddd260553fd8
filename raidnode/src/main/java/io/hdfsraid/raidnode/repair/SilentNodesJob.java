// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.repair;

import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.namespace.Namespace;
import io.hdfsraid.drfs.namespace.UnresponsiveNode;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.RepairState;
import io.hdfsraid.raidnode.catalog.RepairStatus;
import io.hdfsraid.raidnode.catalog.Urgency;
import io.hdfsraid.raidnode.worker.Workers;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Checks stripes with losses again when DataNodes become stale. The NameNode declares such a node
 * dead after ten minutes and lists its replicas as live until then. One stale node cannot exhaust
 * the tolerance of a whole stripe, but it can exhaust that of a stripe that waits for its repair or
 * for the return of another node. A stripe that tolerates no further loss must not wait. So only
 * the stripes of the ledger are checked, once for each new stale node, the most urgent first. Safe
 * for concurrent use.
 */
public final class SilentNodesJob {
  /**
   * Longer than a garbage collection of a DataNode, and much shorter than the time until it is
   * declared dead.
   */
  static final Duration SILENCE = Duration.ofMinutes(1);

  private static final int BATCH = 1_000;

  /**
   * The number of units of a stripe that a node may hold: repairs may have crowded a node, and the
   * audit has not spread the units yet.
   */
  private static final int UNITS_ON_A_NODE = 2;

  private final Namespace namespace;
  private final Catalog catalog;
  private final StripeChecks stripes;
  private final Workers workers;

  /** The stale nodes of the last run; guarded by this. */
  private Set<UnresponsiveNode> seen = Set.of();

  public SilentNodesJob(
      Namespace namespace, Catalog catalog, StripeChecks stripes, Workers workers) {
    this.namespace = namespace;
    this.catalog = catalog;
    this.stripes = stripes;
    this.workers = workers;
  }

  /**
   * Checks stripes again if there is a stale node that was not stale in the last run.
   *
   * @return how many stripes were checked
   */
  public synchronized int run() throws IOException {
    Set<UnresponsiveNode> silent = Set.copyOf(namespace.staleNodes(SILENCE));
    int looked = seen.containsAll(silent) ? 0 : lookAgain(nodes(silent));
    seen = silent;
    return looked;
  }

  static Set<DataNode> nodes(Iterable<UnresponsiveNode> silent) {
    Set<DataNode> nodes = new HashSet<>();
    silent.forEach(each -> nodes.add(each.node()));
    return Set.copyOf(nodes);
  }

  private int lookAgain(Set<DataNode> silent) throws IOException {
    Optional<Urgency> after = Optional.empty();
    int looked = 0;
    while (true) {
      List<RepairState> page = catalog.repairs().mostUrgent(after, BATCH);
      List<Workers.Task> tasks = new ArrayList<>();
      for (RepairState record : page) {
        after = Optional.of(Urgency.of(record));
        if (mayBePutAtRisk(record, silent.size())) {
          tasks.add(() -> stripes.checkIfOn(silent, record));
        }
      }
      // A stripe that cannot be checked is evaluated again when its turn comes.
      int unused = workers.inOrder(tasks);
      looked += tasks.size();
      if (page.isEmpty() || isBeyondReach(page.get(page.size() - 1), silent.size())) {
        return looked;
      }
    }
  }

  private static boolean mayBePutAtRisk(RepairState record, int silent) {
    return record.furtherLosses() > 0
        && record.status() != RepairStatus.RUNNING
        && !isBeyondReach(record, silent);
  }

  private static boolean isBeyondReach(RepairState record, int silent) {
    return record.furtherLosses() > UNITS_ON_A_NODE * silent;
  }
}
