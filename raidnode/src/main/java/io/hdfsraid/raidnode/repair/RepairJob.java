// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.repair;

import io.hdfsraid.blockfixer.detect.StripeHealth;
import io.hdfsraid.blockfixer.plan.RepairDecision;
import io.hdfsraid.blockfixer.repair.RepairTally;
import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.namespace.Namespace;
import io.hdfsraid.drfs.namespace.NodeState;
import io.hdfsraid.drfs.parity.ParityFile;
import io.hdfsraid.drfs.parity.ParityStore;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.RepairLedger;
import io.hdfsraid.raidnode.catalog.RepairState;
import io.hdfsraid.raidnode.catalog.RepairStatus;
import io.hdfsraid.raidnode.catalog.StripeKey;
import io.hdfsraid.raidnode.catalog.Urgency;
import io.hdfsraid.raidnode.worker.Workers;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/**
 * Repairs the stripes of the ledger, those that tolerate the fewest further losses first. Whenever
 * a worker is free it takes the most urgent stripe, so a stripe that becomes urgent overtakes the
 * others. Safe for concurrent use.
 */
public final class RepairJob {
  private static final int PAGE = 1_000;

  private static final Duration WAKE_EVERY = Duration.ofSeconds(5);

  private final Catalog catalog;
  private final ParityStore parity;
  private final Namespace namespace;
  private final Parts parts;
  private final Lanes lanes;
  private final StormBreaker storms;
  private final Clock clock;
  private final ReturnedNodes returned = new ReturnedNodes();

  /**
   * The workers that repair.
   *
   * @param usual for all stripes
   * @param urgent for stripes that tolerate no further loss; they wait for no other repair
   */
  public record Lanes(Workers usual, Workers urgent) {}

  /**
   * The parts of a repair.
   *
   * @param repair carries out the repair of one stripe
   * @param results records its result
   * @param transients the repairs that wait for the return of nodes
   * @param crowded units that repairs had to place in crowded places
   */
  public record Parts(
      StripeRepairTask repair,
      RepairResults results,
      TransientLosses transients,
      CrowdedUnits crowded) {}

  public RepairJob(
      Catalog catalog,
      ParityStore parity,
      Namespace namespace,
      Parts parts,
      Lanes lanes,
      StormBreaker storms,
      Clock clock) {
    this.catalog = catalog;
    this.parity = parity;
    this.namespace = namespace;
    this.parts = parts;
    this.lanes = lanes;
    this.storms = storms;
    this.clock = clock;
  }

  /**
   * Repairs the stripes that are due, and those that become due meanwhile.
   *
   * @return how many stripes were tried
   */
  public int run() throws IOException {
    return run(lanes.usual(), RepairOrder.ALL);
  }

  /**
   * Works as {@link #run()}, but only on stripes that tolerate no further loss, with workers of
   * their own: these repairs wait for no other.
   */
  public int runAtRisk() throws IOException {
    return run(lanes.urgent(), RepairOrder.AT_RISK);
  }

  private int run(Workers workers, int furtherLosses) throws IOException {
    AtomicReference<Instant> woken = new AtomicReference<>(Instant.MIN);
    return workers.whileThereIs(
        () -> {
          // A run may last for days, and stripes at risk are tried again within minutes.
          Instant now = clock.instant();
          // The clock may be set back meanwhile.
          if (!woken.get().plus(WAKE_EVERY).isAfter(now) || woken.get().isAfter(now)) {
            woken.set(now);
            wake(now);
          }
          RepairOrder order =
              RepairOrder.scheduled(
                  storms.look().isPresent() ? RepairOrder.AT_RISK : furtherLosses);
          return ledger()
              .take(order.furtherLosses())
              .<Workers.Task>map(next -> () -> parts.repair().repair(next, order));
        });
  }

  private void wake(Instant now) throws IOException {
    // A returning node may help a stripe with too many losses, which then need not wait.
    if (ledger().count(RepairStatus.UNRECOVERABLE) > 0 && returned.any(heard(), now)) {
      ledger().wake(RepairStatus.UNRECOVERABLE);
    }
    ledger().wake(now);
  }

  /** Returns the live nodes except stale ones, whose replicas do not count. */
  private List<NodeState> heard() throws IOException {
    Set<DataNode> quiet = SilentNodesJob.nodes(namespace.staleNodes(SilentNodesJob.SILENCE));
    return namespace.nodes().stream().filter(node -> !quiet.contains(node.node())).toList();
  }

  /** See {@link TransientLosses#wakeOpened}. */
  public int wakeOpened() throws IOException {
    return parts.transients().wakeOpened();
  }

  /**
   * Repairs the losses of one file and of its group at an operator's request, also if their repairs
   * are postponed or parked, and also during a storm.
   *
   * @param ended told of each stripe when the attempt to repair it has ended; called by several
   *     threads
   * @return how many stripes were looked at
   */
  public int run(long inode, String by, Consumer<StripeKey> ended) throws IOException {
    long id = catalog.groups().groupOf(inode).orElse(inode);
    Optional<ParityFile> file = parity.find(id);
    return file.isEmpty() ? 0 : runAsked(ledger().of(file.get().file().inode()), by, ended);
  }

  /** Works as {@link #run(long, String, Consumer)}, on these stripes. */
  public int run(Set<StripeKey> stripes, String by, Consumer<StripeKey> ended) throws IOException {
    return runAsked(
        stripes.stream().flatMap(each -> ledger().find(each).stream()).toList(), by, ended);
  }

  /** Works as {@link #run(long, String, Consumer)}, on all stripes of the ledger. */
  public int runAll(String by, Consumer<StripeKey> ended) throws IOException {
    Optional<Urgency> after = Optional.empty();
    int looked = 0;
    while (true) {
      List<RepairState> next = ledger().mostUrgent(after, PAGE);
      if (next.isEmpty()) {
        return looked;
      }
      looked += runAsked(next, by, ended);
      after = Optional.of(Urgency.of(next.get(next.size() - 1)));
    }
  }

  /**
   * Repairs the most urgent first. Each stripe is taken when a worker begins with it, not before.
   * Until then the workers for stripes at risk can have it, and an interrupt need not return it.
   */
  private int runAsked(List<RepairState> states, String by, Consumer<StripeKey> ended)
      throws IOException {
    Iterator<StripeKey> stripes =
        states.stream().map(Urgency::of).sorted().map(Urgency::stripe).iterator();
    AtomicInteger taken = new AtomicInteger();
    lanes
        .usual()
        .whileThereIs(
            () ->
                stripes.hasNext()
                    ? Optional.of(asked(stripes.next(), taken, by, ended))
                    : Optional.empty());
    return taken.get();
  }

  private Workers.Task asked(
      StripeKey stripe, AtomicInteger taken, String by, Consumer<StripeKey> ended) {
    return () -> {
      try {
        Optional<RepairState.Running> repair = ledger().take(stripe);
        if (repair.isPresent()) {
          taken.incrementAndGet();
          parts.repair().repair(repair.get(), RepairOrder.asked(by));
        }
      } finally {
        ended.accept(stripe);
      }
    };
  }

  /** See {@link StripeRepairTask#leave}. */
  public Optional<RepairState> leave(StripeKey stripe, Instant until, String by) {
    return parts.repair().leave(stripe, until, by);
  }

  /** Returns what repairing a stripe would do now. */
  public Optional<RepairDecision> foresee(StripeHealth health) throws IOException {
    return parts.repair().foresee(health);
  }

  /** Returns what repairs have cost since the start. */
  public RepairTally tally() {
    return parts.results().tally();
  }

  /** Returns how fast stripes have been repaired recently. */
  public RecentRate pace() {
    return parts.results().rate();
  }

  /** See {@link CrowdedUnits#spread}. */
  public void spreadCrowded() throws IOException {
    parts.crowded().spread();
  }

  private RepairLedger ledger() {
    return catalog.repairs();
  }
}
