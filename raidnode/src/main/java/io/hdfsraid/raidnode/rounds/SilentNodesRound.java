package io.hdfsraid.raidnode.rounds;

import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.namespace.Namespace;
import io.hdfsraid.drfs.namespace.SilentNode;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.RepairRecord;
import io.hdfsraid.raidnode.catalog.RepairStatus;
import io.hdfsraid.raidnode.catalog.Urgency;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Looks again at stripes that have lost units when DataNodes fall silent. The NameNode gives such a
 * node up after ten minutes, and shows what it holds as live until then. One node takes the last
 * tolerance of no stripe that is whole, but maybe that of one which waits for its repair or for the
 * return of another node; and what bears no further loss waits for nothing. So the ledger is all
 * there is to look at, once for each silence, the most urgent first. Safe for concurrent use.
 */
public final class SilentNodesRound {
  /** Longer than a DataNode stops to collect garbage, far shorter than until it is given up. */
  static final Duration SILENCE = Duration.ofMinutes(1);

  private static final int BATCH = 1_000;

  /** Repairs may have had to crowd a node, and the audit has not spread them yet. */
  private static final int UNITS_ON_A_NODE = 2;

  private final Namespace namespace;
  private final Catalog catalog;
  private final IntegrityRound integrity;
  private final Workers workers;

  /** What was silent at the last look; guarded by this. */
  private Set<SilentNode> seen = Set.of();

  public SilentNodesRound(
      Namespace namespace, Catalog catalog, IntegrityRound integrity, Workers workers) {
    this.namespace = namespace;
    this.catalog = catalog;
    this.integrity = integrity;
    this.workers = workers;
  }

  /**
   * Looks if there is a silent node that was not at the last look.
   *
   * @return how many stripes were looked at
   */
  public synchronized int run() throws IOException {
    Set<SilentNode> silent = Set.copyOf(namespace.quietNodes(SILENCE));
    int looked = seen.containsAll(silent) ? 0 : lookAgain(nodes(silent));
    seen = silent;
    return looked;
  }

  static Set<DataNode> nodes(Iterable<SilentNode> silent) {
    Set<DataNode> nodes = new HashSet<>();
    silent.forEach(each -> nodes.add(each.node()));
    return Set.copyOf(nodes);
  }

  private int lookAgain(Set<DataNode> silent) throws IOException {
    Optional<Urgency> after = Optional.empty();
    int looked = 0;
    while (true) {
      List<RepairRecord> page = catalog.repairs().mostUrgent(after, BATCH);
      List<Workers.Task> tasks = new ArrayList<>();
      for (RepairRecord record : page) {
        after = Optional.of(Urgency.of(record));
        if (mayBePutAtRisk(record, silent.size())) {
          tasks.add(() -> integrity.checkIfOn(silent, record));
        }
      }
      // One that cannot be looked at is judged anew when its turn comes.
      int unused = workers.inOrder(tasks);
      looked += tasks.size();
      if (page.isEmpty() || isBeyondReach(page.get(page.size() - 1), silent.size())) {
        return looked;
      }
    }
  }

  private static boolean mayBePutAtRisk(RepairRecord record, int silent) {
    return record.furtherLosses() > 0
        && record.status() != RepairStatus.RUNNING
        && !isBeyondReach(record, silent);
  }

  private static boolean isBeyondReach(RepairRecord record, int silent) {
    return record.furtherLosses() > UNITS_ON_A_NODE * silent;
  }
}
