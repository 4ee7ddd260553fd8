// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.repair;

import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.parity.GroupId;
import io.hdfsraid.drfs.parity.ParityStore;
import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.Notes;
import io.hdfsraid.raidnode.catalog.RepairState;
import io.hdfsraid.raidnode.catalog.StripeKey;
import io.hdfsraid.raidnode.raiding.core.FileInWorkException;
import io.hdfsraid.raidnode.schedule.KnownTrouble;
import io.hdfsraid.raidnode.upkeep.DailyTurn;
import io.hdfsraid.raidnode.upkeep.ParityIds;
import io.hdfsraid.raidnode.upkeep.QuarantineJob;
import io.hdfsraid.raidnode.upkeep.ReconcileJob;
import io.hdfsraid.raidnode.upkeep.VanishedParity;
import io.hdfsraid.raidnode.worker.Workers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongPredicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Checks what has parity: reconciles each file, then judges its stripes by the word of the
 * NameNode, and puts the stripes that have lost units into the repair ledger. While the edit log
 * tells of every change, and the NameNode's list of lost blocks of every loss, it is enough to
 * check what is between two states, what has losses, and of the rest a share each time. The scrub
 * asks the DataNodes, at a pace ({@code ScrubJob}); this job asks them only about stripes for which
 * {@link StripeChecks#judge} has a reason. The job goes by what HDFS shows, not by the catalog, so
 * it also finds again what a lost catalog knew.
 */
public final class IntegrityJob {
  private static final Logger LOG = LoggerFactory.getLogger(IntegrityJob.class);

  /** Name of the note of the rule for access to parity that the last complete check followed. */
  private static final String ACCESS_RULE = "parity-access-rule";

  private static final int BATCH = 1_000;

  private static final Duration DIRECTORIES_KNOWN_FOR = Duration.ofSeconds(10);

  /** More is checked as a whole. */
  private static final int MOST_UNSETTLED = 1_000_000;

  private final ParityStore parity;
  private final StripeChecks stripes;
  private final ReconcileJob reconciler;
  private final QuarantineJob quarantine;
  private final VanishedParity vanished;
  private final Catalog catalog;
  private final Workers workers;
  private final KnownTrouble trouble;
  private final Clock clock;

  /** The nodes that were silent when the current run last asked. */
  private volatile Set<DataNode> silent = Set.of();

  public IntegrityJob(
      ParityStore parity,
      StripeChecks stripes,
      ReconcileJob reconciler,
      QuarantineJob quarantine,
      VanishedParity vanished,
      Catalog catalog,
      Workers workers,
      Clock clock) {
    this(
        parity,
        stripes,
        reconciler,
        quarantine,
        vanished,
        catalog,
        workers,
        KnownTrouble.NONE,
        clock);
  }

  /**
   * @param trouble tells failures that need no line of the log
   */
  public IntegrityJob(
      ParityStore parity,
      StripeChecks stripes,
      ReconcileJob reconciler,
      QuarantineJob quarantine,
      VanishedParity vanished,
      Catalog catalog,
      Workers workers,
      KnownTrouble trouble,
      Clock clock) {
    this.trouble = trouble;
    this.parity = parity;
    this.stripes = stripes;
    this.reconciler = reconciler;
    this.quarantine = quarantine;
    this.vanished = vanished;
    this.catalog = catalog;
    this.workers = workers;
    this.clock = clock;
  }

  /** Checks all parity by the word of the NameNode. */
  public void run() throws IOException {
    runAll(this::judge);
  }

  private void runAll(Inspection inspection) throws IOException {
    Optional<String> accessRule = parity.accessRule();
    Instant began = clock.instant();
    run(began, id -> true, inspection);
    catalog.notes().instant(Notes.LAST_FULL_CHECK, began);
    accessRule.ifPresent(rule -> catalog.notes().text(ACCESS_RULE, rule));
  }

  /**
   * Checks as {@link #run()} does, but of the files that are raided, whole and known only those
   * whose turn it is. Parity that is gone is found in any case. The changes of all files must be
   * known since the last check. If parity has to become readable for others than before, it does
   * not wait for its turn.
   */
  public void run(DailyTurn turn) throws IOException {
    if (parity.accessRule().filter(rule -> !isFollowed(rule)).isPresent()) {
      run();
      return;
    }
    ParityIds raided = new ParityIds();
    catalog.files().idsWithStatus(FileState.RAIDED, raided::add);
    Optional<Set<Long>> unsettled = unsettled();
    run(
        turn.until(),
        id ->
            unsettled.isEmpty()
                || unsettled.get().contains(id)
                || turn.isOf(id)
                || !isKnown(id, raided),
        this::judge);
    if (turn.isOfAll()) {
      catalog.notes().instant(Notes.LAST_FULL_CHECK, turn.until());
    }
  }

  /** Checks all parity and asks the DataNode of every replica, at no pace: for small clusters. */
  public void runAsking() throws IOException {
    runAll(stripes::check);
  }

  private boolean isFollowed(String accessRule) {
    return catalog.notes().text(ACCESS_RULE).filter(accessRule::equals).isPresent();
  }

  private void judge(long id) throws IOException {
    stripes.judge(id, silent);
  }

  /** A daemon may have died after it had committed parity and before it wrote that down. */
  private boolean isKnown(long id, ParityIds raided) {
    return GroupId.isGroup(id) ? catalog.scrubs().find(id).isPresent() : raided.contains(id);
  }

  /**
   * Returns the parity of files between two states, and with losses; empty if there is too much.
   */
  private Optional<Set<Long>> unsettled() {
    Set<Long> unsettled = new HashSet<>();
    for (FileState state : List.of(FileState.COMMITTED, FileState.REDUCED, FileState.UNRAIDING)) {
      catalog
          .files()
          .withStatus(
              state,
              -1,
              file -> {
                unsettled.add(reconciler.parityOf(file.inode()));
                return unsettled.size() < MOST_UNSETTLED;
              });
    }
    Optional<StripeKey> after = Optional.empty();
    List<RepairState> page = catalog.repairs().list(after, BATCH);
    while (!page.isEmpty() && unsettled.size() < MOST_UNSETTLED) {
      page.forEach(repair -> unsettled.add(repair.inode()));
      after = Optional.of(page.get(page.size() - 1).stripe());
      page = catalog.repairs().list(after, BATCH);
    }
    return unsettled.size() < MOST_UNSETTLED ? Optional.of(unsettled) : Optional.empty();
  }

  /** How the stripes with a parity are checked. */
  private interface Inspection {
    void of(long id) throws IOException;
  }

  /**
   * @param began when the next turn begins, so that no turn is left out between the two
   */
  private synchronized void run(Instant began, LongPredicate wanted, Inspection inspection)
      throws IOException {
    Batches batches = new Batches(wanted, inspection);
    try {
      parity.forEach(batches::add);
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    batches.finish();
    vanished.raise(batches.seen);
    dropVanished();
    catalog.notes().instant(Notes.LAST_CHECK, began);
    // The quarantine comes last: it may hold far more parity than is in service, and nothing that
    // is raided may wait for it. ReportedLossJob has revived within seconds what lost blocks need.
    List<Workers.Task> revived = new ArrayList<>();
    quarantine.reviveNeeded().forEach(id -> revived.add(() -> stripes.check(id)));
    workers.inOrder(revived);
  }

  /** Runs files in batches: a namespace has more files than fit into memory as tasks. */
  private final class Batches {
    private final List<Workers.Task> tasks = new ArrayList<>(BATCH);
    private final ParityIds seen = new ParityIds();

    private ParityStore.AccessRefresh access = parity.accessRefresh();
    private long accessFrom = System.nanoTime();

    private final LongPredicate wanted;
    private final Inspection inspection;

    Batches(LongPredicate wanted, Inspection inspection) {
      this.wanted = wanted;
      this.inspection = inspection;
    }

    void add(long inode) {
      seen.add(inode);
      if (!wanted.test(inode)) {
        return;
      }
      catalog.scrubs().meet(inode, clock.instant());
      tasks.add(() -> reconcileAndInspect(inode, access(), inspection));
      if (tasks.size() == BATCH) {
        try {
          finish();
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
    }

    void finish() throws IOException {
      silent = stripes.silentNodes();
      workers.inOrder(tasks);
      tasks.clear();
    }

    /** A batch may take hours, and no right of a directory may be remembered for long. */
    private synchronized ParityStore.AccessRefresh access() {
      if (System.nanoTime() - accessFrom > DIRECTORIES_KNOWN_FOR.toNanos()) {
        access = parity.accessRefresh();
        accessFrom = System.nanoTime();
      }
      return access;
    }
  }

  private void reconcileAndInspect(
      long inode, ParityStore.AccessRefresh access, Inspection inspection) throws IOException {
    try {
      access.of(inode);
    } finally {
      reconcileThenInspect(inode, inspection);
    }
  }

  private void reconcileThenInspect(long inode, Inspection inspection) throws IOException {
    try {
      reconciler.reconcile(inode, "integrity check");
    } catch (FileInWorkException e) {
      return; // the work that holds the file reconciles it
    } finally {
      // Losses must be found even where a quota or a fence kept the file from being reconciled.
      inspection.of(inode);
    }
  }

  /** Drops ledger entries of parity that no longer exists. Asks once for each parity file. */
  private void dropVanished() throws IOException {
    Optional<StripeKey> after = Optional.empty();
    Optional<RepairState> last = Optional.empty();
    boolean there = false;
    while (true) {
      List<RepairState> page = catalog.repairs().list(after, BATCH);
      if (page.isEmpty()) {
        return;
      }
      for (RepairState record : page) {
        if (last.filter(before -> isOfSameParity(before, record)).isEmpty()) {
          there = mayBeThere(record);
          last = Optional.of(record);
        }
        if (!there) {
          catalog.repairs().remove(record.stripe());
        }
        after = Optional.of(record.stripe());
      }
    }
  }

  /** Parity that cannot be read counts as there, and does not keep the check from its end. */
  private boolean mayBeThere(RepairState record) {
    try {
      return parity
          .find(record.inode())
          .filter(file -> file.file().inode() == record.stripe().parityInode())
          .isPresent();
    } catch (IOException e) {
      LOG.atLevel(trouble.explains(e) ? Level.DEBUG : Level.WARN)
          .addKeyValue("stripe", record.stripe())
          .addKeyValue("path", record.path())
          .setCause(e)
          .log("the parity of a repair cannot be read; the repair stays in the ledger");
      return true;
    }
  }

  private static boolean isOfSameParity(RepairState one, RepairState other) {
    return one.inode() == other.inode()
        && one.stripe().parityInode() == other.stripe().parityInode();
  }
}
