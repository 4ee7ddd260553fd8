// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.upkeep;

import io.hdfsraid.drfs.hdfs.InodePath;
import io.hdfsraid.drfs.namespace.LocatedFile;
import io.hdfsraid.drfs.parity.Footprint;
import io.hdfsraid.drfs.parity.ParityFile;
import io.hdfsraid.drfs.parity.ParityStore;
import io.hdfsraid.policies.Reason;
import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.FileRecord;
import io.hdfsraid.raidnode.catalog.RepairState;
import io.hdfsraid.raidnode.catalog.RepairStatus;
import io.hdfsraid.raidnode.catalog.StripeKey;
import io.hdfsraid.raidnode.catalog.Total;
import io.hdfsraid.raidnode.journal.Journal;
import io.hdfsraid.raidnode.mode.OperatingMode;
import io.hdfsraid.raidnode.mode.OperatingMode.Withdrawal;
import io.hdfsraid.raidnode.raiding.core.FileInWorkException;
import io.hdfsraid.raidnode.raiding.file.Abandonment;
import io.hdfsraid.raidnode.worker.Workers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Unraids all files when an operator withdraws the daemon ({@link OperatingMode.Withdrawal}). Each
 * run does what is possible now and leaves the rest to the next, so a crash costs nothing. Only the
 * request is stored. HDFS shows what is left to do.
 */
public final class WithdrawalJob {
  private static final Logger LOG = LoggerFactory.getLogger(WithdrawalJob.class);
  private static final String WITHDRAWAL = "withdrawal";

  /** Files in one bundle: there are more than fit into memory as tasks. */
  private static final int BATCH = 1_000;

  /** So many reasons why something stays are shown. */
  private static final int MOST_REASONS = 20;

  private static final Set<FileState> TO_UNRAID =
      Set.of(FileState.COMMITTED, FileState.REDUCED, FileState.RAIDED);
  private static final Set<FileState> UNDER_PARITY =
      Set.of(FileState.COMMITTED, FileState.REDUCED, FileState.RAIDED, FileState.UNRAIDING);

  private final OperatingMode mode;
  private final ParityStore parity;
  private final Root root;
  private final ReconcileJob reconciler;
  private final QuarantineJob quarantine;
  private final Abandonment abandonment;
  private final Catalog catalog;
  private final Workers workers;
  private final Journal journal;
  private volatile List<String> waiting = List.of();

  /** The directory of the parity, and the file that makes us its one writer. */
  @FunctionalInterface
  public interface Root {
    /**
     * Removes the root, of which nothing is left but directories of ours and the owner file, which
     * goes last. This process is not the one writer any more then.
     *
     * @throws io.hdfsraid.drfs.parity.RefusedException when there is more in it
     */
    void remove() throws IOException;
  }

  public WithdrawalJob(
      OperatingMode mode,
      ParityStore parity,
      Root root,
      ReconcileJob reconciler,
      QuarantineJob quarantine,
      Abandonment abandonment,
      Catalog catalog,
      Workers workers,
      Journal journal) {
    this.mode = mode;
    this.parity = parity;
    this.root = root;
    this.reconciler = reconciler;
    this.quarantine = quarantine;
    this.abandonment = abandonment;
    this.catalog = catalog;
    this.workers = workers;
    this.journal = journal;
  }

  /** What operators want. */
  public OperatingMode mode() {
    return mode;
  }

  /** Returns some of the reasons, for people, why the last run could not end the withdrawal. */
  public List<String> waiting() {
    return waiting;
  }

  /** Whether a file with this status has parity in service. */
  public static boolean isUnderParity(FileState status) {
    return UNDER_PARITY.contains(status);
  }

  /** How many files the catalog knows to be under parity. */
  public long filesUnderParity() {
    return catalog.files().totals().stream()
        .filter(total -> isUnderParity(total.state()))
        .mapToLong(Total::files)
        .sum();
  }

  /** Continues the withdrawal; does nothing if there is none. */
  public synchronized void run() throws IOException {
    Optional<Withdrawal> wish = mode.withdrawal();
    if (wish.isEmpty()) {
      return;
    }
    letGoOfWhatTheCatalogKnows();
    if (filesUnderParity() > 0) {
      waiting = filesThatWait();
      return;
    }
    parity.sweepDrafts();
    Footprint footprint = parity.footprint();
    if (footprint.committed() > 0) {
      letGoOfWhatHdfsShows();
      waiting = List.of("%d parity files are in service".formatted(footprint.committed()));
      return;
    }
    if (footprint.drafts() > 0) {
      waiting = List.of("%d parity files are being written".formatted(footprint.drafts()));
      return;
    }
    if (wish.get().purges() && !isPurged()) {
      return;
    }
    if (wish.get() == Withdrawal.REMOVE_ROOT) {
      removeRoot();
    } else {
      mode.withdrew();
      waiting = List.of();
      note("Every file has its replicas again; %s".formatted(leftOf(parity.footprint())));
    }
  }

  /** How many files wait for what, with the path of one of each kind. */
  private List<String> filesThatWait() {
    Map<String, Long> files = new TreeMap<>();
    for (Total total : catalog.files().totals()) {
      if (isUnderParity(total.state())) {
        files.merge(waitsFor(total.reason()), total.files(), Long::sum);
      }
    }
    Map<String, String> examples = new HashMap<>();
    for (FileState status : UNDER_PARITY) {
      int[] looked = {0};
      catalog
          .files()
          .withStatus(
              status,
              -1,
              file -> {
                examples.putIfAbsent(waitsFor(file.progress().reason()), file.facts().path());
                return ++looked[0] < BATCH && examples.size() < files.size();
              });
    }
    List<String> lines = new ArrayList<>();
    files.forEach(
        (what, count) ->
            lines.add(
                "%d files %s%s"
                    .formatted(
                        count,
                        what,
                        Optional.ofNullable(examples.get(what))
                            .map(" (%s is one)"::formatted)
                            .orElse(""))));
    lines.addAll(filesThatAreLost());
    return lines;
  }

  /** Names files that wait in vain. Only unrecoverable stripes of the ledger can belong to them. */
  private List<String> filesThatAreLost() {
    Set<Long> ids = new LinkedHashSet<>();
    Optional<StripeKey> after = Optional.empty();
    while (catalog.repairs().count(RepairStatus.UNRECOVERABLE) > 0 && ids.size() < MOST_REASONS) {
      List<RepairState> page = catalog.repairs().list(after, BATCH);
      if (page.isEmpty()) {
        break;
      }
      page.stream()
          .filter(repair -> repair.shownStatus() == RepairStatus.UNRECOVERABLE)
          .limit(MOST_REASONS)
          .forEach(repair -> ids.add(repair.inode()));
      after = Optional.of(page.get(page.size() - 1).stripe());
    }
    List<String> lines = new ArrayList<>();
    for (long id : ids) {
      try {
        abandonment
            .awaited(id)
            .forEach((inode, blocks) -> lines.add(lost(pathOf(inode), blocks.size())));
      } catch (IOException e) {
        LOG.debug("What parity {} waits for cannot be told now", id, e);
      }
    }
    return lines.size() > MOST_REASONS ? lines.subList(0, MOST_REASONS) : lines;
  }

  private String pathOf(long inode) {
    return catalog.files().find(inode).map(file -> file.facts().path()).orElse(InodePath.of(inode));
  }

  private static String lost(String path, int blocks) {
    return "%s has lost %d blocks that nothing can rebuild: bring back the DataNodes that hold them or their parity, or delete the file and restore it from a copy, or abandon it: 'raidshell unraid --all --abandon %s'"
        .formatted(path, blocks, path);
  }

  /**
   * Returns whether a file may be abandoned. That takes a withdrawal under way, and a repair that
   * has been tried in vain.
   */
  public Abandonment.Verdict abandonable(LocatedFile file) throws IOException {
    Abandonment.Verdict verdict = abandonment.verdict(file);
    return verdict.refused().isEmpty() ? unlessHopeful(file, verdict) : verdict;
  }

  private Abandonment.Verdict unlessHopeful(LocatedFile file, Abandonment.Verdict verdict)
      throws IOException {
    Optional<ParityFile> found = parity.find(reconciler.parityOf(file.inode()));
    boolean triedInVain =
        found.isPresent()
            && catalog.repairs().of(found.get().file().inode()).stream()
                .anyMatch(repair -> repair.shownStatus() == RepairStatus.UNRECOVERABLE);
    return triedInVain
        ? verdict
        : verdict.because("Its repair has not been tried yet; 'raidshell repair' tries it");
  }

  /**
   * Abandons a file if that may be: from now on its parity does not wait for the blocks that are
   * lost for good.
   *
   * @throws FileInWorkException when another task works on its parity
   */
  public Abandonment.Verdict abandon(LocatedFile file, String path, String by) throws IOException {
    Abandonment.Verdict verdict = abandonable(file);
    if (verdict.refused().isEmpty()) {
      verdict = abandonment.abandon(file);
    }
    journal.note(
        "abandoned",
        Optional.of(file.inode()),
        path,
        verdict.refused().isEmpty(),
        by,
        verdict
            .refused()
            .orElse(
                "%d of %d blocks are lost for good; the parity does not wait for them any more"
                    .formatted(verdict.lostBlocks().size(), verdict.blocks())),
        0,
        0);
    return verdict;
  }

  private static String waitsFor(Optional<Reason> reason) {
    return reason
        .map(why -> "wait, %s: %s".formatted(why, why.sentence()))
        .orElse("wait for their replicas");
  }

  private static String leftOf(Footprint footprint) {
    return "%d parity files are in quarantine".formatted(footprint.quarantined());
  }

  private void letGoOfWhatTheCatalogKnows() throws IOException {
    for (FileState status : TO_UNRAID) {
      long[] after = {-1};
      while (true) {
        List<FileRecord> batch = new ArrayList<>();
        catalog
            .files()
            .withStatus(
                status,
                after[0],
                file -> {
                  batch.add(file);
                  after[0] = file.inode();
                  return batch.size() < BATCH;
                });
        if (batch.isEmpty()) {
          break;
        }
        // One group has many files.
        unraid(batch.stream().map(file -> reconciler.parityOf(file.inode())).distinct().toList());
      }
    }
  }

  private void letGoOfWhatHdfsShows() throws IOException {
    List<Long> batch = new ArrayList<>();
    try {
      parity.forEach(
          id -> {
            batch.add(id);
            if (batch.size() == BATCH) {
              letGoUnchecked(batch);
            }
          });
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    unraid(batch);
  }

  private void letGoUnchecked(List<Long> batch) {
    try {
      unraid(batch);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    batch.clear();
  }

  private void unraid(List<Long> ids) throws IOException {
    List<Workers.Task> tasks = new ArrayList<>();
    for (long id : ids) {
      tasks.add(() -> reconciler.unraidParity(id, WITHDRAWAL));
    }
    workers.inOrder(tasks);
  }

  /**
   * Purges all that no block needs. What is needed keeps the others from nothing; who changes his
   * mind meanwhile is heard.
   */
  private boolean isPurged() throws IOException {
    Optional<Withdrawal> wish = mode.withdrawal();
    List<String> needed = new ArrayList<>();
    quarantine
        .quarantine()
        .forEach(
            kept -> {
              if (mode.withdrawal().equals(wish)) {
                whyNotPurged(kept)
                    .filter(why -> needed.size() < MOST_REASONS)
                    .ifPresent(why -> needed.add(kept.file().path() + " is kept: " + why));
              }
            });
    waiting = needed;
    return needed.isEmpty() && mode.withdrawal().equals(wish);
  }

  private Optional<String> whyNotPurged(ParityFile kept) {
    try {
      return quarantine.purgeUnlessNeeded(kept, WITHDRAWAL);
    } catch (IOException e) {
      // It may fail each time; the others do not wait for it.
      LOG.warn("Quarantined parity {} cannot be judged", kept.file().path(), e);
      return Optional.of("it cannot be judged: " + e.getMessage());
    }
  }

  private void removeRoot() throws IOException {
    parity.sweepDrafts();
    Footprint footprint = parity.footprint();
    if (!footprint.onlyDirectories()) {
      waiting =
          List.of(
              "The root is not empty: %d drafts, %d in quarantine, %d entries that are not ours %s"
                  .formatted(
                      footprint.drafts(),
                      footprint.quarantined(),
                      footprint.foreignEntries(),
                      footprint.foreign()));
      return;
    }
    root.remove();
    mode.left();
    waiting = List.of();
    note("Nothing of HDFS-RAID is left on this cluster; the root is removed");
  }

  private void note(String detail) {
    journal.note("withdrawn", Optional.empty(), "/", true, WITHDRAWAL, detail, 0, 0);
    LOG.atInfo().log(detail);
  }
}
