package io.hdfsraid.raidnode.repair;

import io.hdfsraid.blockfixer.detect.CorruptFileList;
import io.hdfsraid.blockfixer.detect.DetectionSource;
import io.hdfsraid.blockfixer.detect.Fault;
import io.hdfsraid.blockfixer.detect.IntegrityCheck;
import io.hdfsraid.blockfixer.detect.StripeHealth;
import io.hdfsraid.blockfixer.detect.StripeHealth.State;
import io.hdfsraid.blockfixer.detect.UnitFinding;
import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.namespace.LocatedFile;
import io.hdfsraid.drfs.namespace.Namespace;
import io.hdfsraid.drfs.parity.GroupId;
import io.hdfsraid.drfs.parity.ParityFile;
import io.hdfsraid.drfs.parity.ParityStore;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import io.hdfsraid.drfs.stripe.StripeUnit;
import io.hdfsraid.drfs.stripe.UnitState;
import io.hdfsraid.erasurecode.UnitSet;
import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.DegradedStripe;
import io.hdfsraid.raidnode.catalog.RepairState;
import io.hdfsraid.raidnode.catalog.RepairStatus;
import io.hdfsraid.raidnode.catalog.StripeKey;
import io.hdfsraid.raidnode.journal.RaidEvents;
import io.hdfsraid.raidnode.raiding.core.FileInWorkException;
import io.hdfsraid.raidnode.upkeep.QuarantineJob;
import io.hdfsraid.raidnode.upkeep.ReconcileJob;
import io.hdfsraid.raidnode.worker.Workers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Looks at everything that has parity: reconciles the file, then judges its stripes by the
 * NameNode's word, and puts the ones that have lost units into the repair ledger. DataNodes are
 * asked by the scrub, at a pace ({@code ScrubJob}). Here they are asked only about stripes that are
 * in the ledger, that the NameNode reports, or that would tolerate no further loss without the
 * nodes that are silent now. The job goes by what HDFS shows, not by the catalog, so it also finds
 * again what a lost catalog knew.
 */
public final class IntegrityJob {
  /** Name of the note of when the last complete round began. */
  public static final String LAST_CHECK = "last-integrity-check";

  private static final int BATCH = 1_000;

  private final ParityStore parity;
  private final Namespace namespace;
  private final IntegrityCheck check;
  private final CorruptFileList reports;
  private final ReconcileJob reconciler;
  private final QuarantineJob quarantine;
  private final Catalog catalog;
  private final Workers workers;
  private final RaidEvents events;
  private final Clock clock;

  private final ReportedLosses reported = new ReportedLosses();
  private final Workers reporting;

  /** Nodes that were silent when the round under way last asked. */
  private volatile Set<DataNode> silent = Set.of();

  /** Inode ids met by the round under way. */
  private final Set<Long> seen = ConcurrentHashMap.newKeySet();

  /**
   * Creates the job.
   *
   * @param workers threads of the round over all parity
   * @param reporting threads that check the losses that the NameNode lists; the round over all
   *     parity does not use them, because it may take hours
   */
  public IntegrityJob(
      ParityStore parity,
      Namespace namespace,
      IntegrityCheck check,
      CorruptFileList reports,
      ReconcileJob reconciler,
      QuarantineJob quarantine,
      Catalog catalog,
      Workers workers,
      Workers reporting,
      RaidEvents events,
      Clock clock) {
    this.reporting = reporting;
    this.parity = parity;
    this.namespace = namespace;
    this.check = check;
    this.reports = reports;
    this.reconciler = reconciler;
    this.quarantine = quarantine;
    this.catalog = catalog;
    this.workers = workers;
    this.events = events;
    this.clock = clock;
    catalog.repairs().whenMended(reported::mended);
  }

  /** One round over all parity, by the NameNode's word. */
  public void run() throws IOException {
    run(this::judge);
  }

  /** As {@link #run}, and asks the DataNode of every replica, at no pace: for small clusters. */
  public void runAsking() throws IOException {
    run(this::check);
  }

  /** How the stripes with a parity are looked at. */
  private interface Inspection {
    void of(long id) throws IOException;
  }

  private synchronized void run(Inspection inspection) throws IOException {
    Instant began = clock.instant();
    Batches batches = new Batches(inspection);
    try {
      parity.forEach(batches::add);
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    batches.finish();
    findVanishedParity();
    dropVanished();
    catalog.notes().instant(LAST_CHECK, began);
    // Last, for there may be far more in quarantine than is in service, and nothing that is raided
    // may wait for it. What the NameNode lists as lost has been asked for in seconds.
    List<Workers.Task> revived = new ArrayList<>();
    quarantine.reviveNeeded().forEach(id -> revived.add(() -> check(id)));
    workers.inOrder(revived);
  }

  /** Files that the catalog believes to be under parity, and that have none on HDFS any more. */
  private void findVanishedParity() throws IOException {
    List<Long> doubtful = new ArrayList<>();
    for (FileState status :
        List.of(FileState.COMMITTED, FileState.REDUCED, FileState.RAIDED, FileState.UNRAIDING)) {
      catalog
          .files()
          .withStatus(
              status,
              -1,
              file -> {
                if (!seen.contains(reconciler.parityOf(file.inode()))) {
                  doubtful.add(file.inode());
                }
                return true;
              });
    }
    seen.clear();
    List<Long> unprotected = new ArrayList<>();
    for (long inode : doubtful) {
      if (parity.find(reconciler.parityOf(inode)).isEmpty()) {
        unprotected.add(inode);
      }
    }
    reconciler.unprotected(unprotected, "Its parity file is gone from HDFS", "integrity check");
  }

  /** Files in bundles: a namespace has more of them than fit into memory as tasks. */
  private final class Batches {
    private final List<Workers.Task> tasks = new ArrayList<>(BATCH);
    private final Inspection inspection;

    Batches(Inspection inspection) {
      this.inspection = inspection;
    }

    void add(long inode) {
      seen.add(inode);
      catalog.scrubs().meet(inode, clock.instant());
      tasks.add(() -> reconcileAndInspect(inode, inspection));
      if (tasks.size() == BATCH) {
        try {
          finish();
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
    }

    void finish() throws IOException {
      silent = SilentNodesJob.nodes(namespace.staleNodes(SilentNodesJob.SILENCE));
      workers.inOrder(tasks);
      tasks.clear();
    }
  }

  /**
   * Checks the stripes that have lost blocks of the files which the NameNode lists, as far as that
   * is news. Its list names paths, which can be stale: what it does not lead to is found by the
   * next full round. Of a long list only so much is looked at before it is read again, for what is
   * lost meanwhile may be worse.
   *
   * @return how many files were looked at
   */
  public int runReported() throws IOException {
    int looked = 0;
    while (true) {
      reported.beginReading();
      List<String> news = reported.news(reports.files(), clock.instant());
      List<String> first = news.subList(0, Math.min(news.size(), BATCH));
      news.subList(first.size(), news.size()).forEach(reported::forget);
      List<Workers.Task> tasks = new ArrayList<>();
      first.forEach(path -> tasks.add(() -> checkReported(path)));
      // What cannot be looked at is not forgotten, and no reason to go on reading.
      int failed = reporting.inOrder(tasks);
      looked += first.size();
      if (first.size() == news.size() || failed == first.size()) {
        return looked;
      }
    }
  }

  private void checkReported(String path) throws IOException {
    boolean done = false;
    try {
      Optional<Long> id = parity.sourceOf(path);
      if (id.isEmpty()) {
        id = namespace.file(path).map(LocatedFile::inode).map(reconciler::parityOf);
      }
      if (id.isPresent()) {
        reported.belongs(path, id.get());
        if (parity.find(id.get()).isEmpty()) {
          quarantine.reviveNeeded(id.get());
        }
        checkLost(id.get());
      }
      done = true;
    } finally {
      if (!done) {
        reported.forget(path);
      }
    }
  }

  /** Only the stripes of which the NameNode knows a block to be lost: a file may have thousands. */
  private void checkLost(long id) throws IOException {
    Optional<ParityFile> found = parity.find(id);
    if (found.isEmpty()) {
      return;
    }
    for (LocatedStripe stripe : check.locate(found.get())) {
      if (!stripe.lost().isEmpty()) {
        note(id, check.check(stripe));
      }
    }
  }

  private void reconcileAndInspect(long inode, Inspection inspection) throws IOException {
    try {
      reconciler.reconcile(inode, "integrity check");
      parity.refreshAccess(inode);
    } catch (FileInWorkException e) {
      return; // whoever works on it sees to it
    } finally {
      // Also when nobody could reconcile it, for a quota or a fence: losses are found all the same.
      inspection.of(inode);
    }
  }

  /**
   * Judges the stripes with this parity by the NameNode's word. It may not know of a loss that is
   * in the ledger, nor that nodes are dead which have merely been silent so far: of the stripes
   * that this may make a difference to the DataNodes are asked, too.
   */
  private void judge(long id) throws IOException {
    Optional<ParityFile> found = parity.find(reconciler.parityOf(id));
    if (found.isEmpty()) {
      return;
    }
    for (LocatedStripe stripe : check.locate(found.get())) {
      boolean doubtful =
          catalog.repairs().find(key(stripe)).isPresent() || isAtRiskWithout(silent, stripe);
      note(id, doubtful ? check.check(stripe) : check.judge(stripe));
    }
  }

  /** Whether a stripe would bear no further loss if it had nothing on these nodes. */
  private static boolean isAtRiskWithout(Set<DataNode> nodes, LocatedStripe stripe) {
    UnitSet there = onlyOn(nodes, stripe);
    return !there.isEmpty()
        && stripe.codec().furtherLosses(stripe.lost().plus(stripe.changed()).plus(there)) <= 0;
  }

  /** Units that have all their replicas on these nodes. */
  private static UnitSet onlyOn(Set<DataNode> nodes, LocatedStripe stripe) {
    return nodes.isEmpty()
        ? UnitSet.none()
        : UnitSet.of(
            stripe.units().stream()
                .filter(unit -> unit.state() == UnitState.LIVE)
                .filter(
                    unit ->
                        unit.located().orElseThrow().live().stream()
                            .allMatch(replica -> nodes.contains(replica.node())))
                .mapToInt(StripeUnit::unit));
  }

  /** Judges a stripe of the ledger anew, by the word of DataNodes, if it has a unit on these. */
  void checkIfOn(Set<DataNode> nodes, RepairState known) throws IOException {
    Optional<ParityFile> found =
        parity
            .find(known.inode())
            .filter(file -> file.file().inode() == known.stripe().parityInode());
    if (found.isPresent()) {
      LocatedStripe stripe = check.locate(found.get(), known.stripe().index());
      if (!onlyOn(nodes, stripe).isEmpty()) {
        note(known.inode(), check.check(stripe));
      }
    }
  }

  private static StripeKey key(LocatedStripe stripe) {
    return new StripeKey(stripe.parityInode(), stripe.index());
  }

  /**
   * Judges the stripes of one file now; empty when it has no parity.
   *
   * @param inode of a file, or the id of a group: of a file in a group, the stripes it has blocks
   *     in
   */
  public List<StripeHealth> check(long inode) throws IOException {
    List<StripeHealth> stripes = look(inode);
    stripes.forEach(health -> note(reconciler.parityOf(inode), health));
    return stripes;
  }

  /** As {@link #check}, but writes nothing down: what is in the ledger will be repaired. */
  public List<StripeHealth> look(long inode) throws IOException {
    Optional<ParityFile> found = parity.find(reconciler.parityOf(inode));
    if (found.isEmpty()) {
      return List.of();
    }
    return GroupId.isGroup(inode)
        ? check.check(found.get())
        : check.check(found.get(), Set.of(inode));
  }

  /** As {@link #check(long)}, of one stripe; empty when there is none of this index. */
  public Optional<StripeHealth> check(long inode, int index) throws IOException {
    Optional<StripeHealth> stripe = look(inode, index);
    stripe.ifPresent(health -> note(reconciler.parityOf(inode), health));
    return stripe;
  }

  /** As {@link #look(long)}, of one stripe; empty when there is none of this index. */
  public Optional<StripeHealth> look(long inode, int index) throws IOException {
    Optional<ParityFile> found =
        parity
            .find(reconciler.parityOf(inode))
            .filter(file -> index < file.manifest().stripes().size());
    return found.isEmpty()
        ? Optional.empty()
        : Optional.of(check.check(check.locate(found.get(), index)));
  }

  /** What the ledger knows of one stripe. */
  public Optional<RepairState> known(long inode, int index) throws IOException {
    Optional<ParityFile> found = parity.find(reconciler.parityOf(inode));
    return found.isEmpty()
        ? Optional.empty()
        : catalog.repairs().find(new StripeKey(found.get().file().inode(), index));
  }

  /**
   * Writes down how a stripe stands: what has lost units, and can be acted on, is in the ledger
   * afterwards.
   *
   * @param inode of the protected file, or the group
   */
  public void note(long inode, StripeHealth health) {
    StripeKey key = key(health.stripe());
    if (health.state() != State.HEALTHY) {
      events.found(health);
    }
    if (health.state() == State.HEALTHY || health.state() == State.UNKNOWN) {
      if (catalog.repairs().find(key).isPresent()) {
        catalog.repairs().remove(key);
      }
      return;
    }
    catalog
        .repairs()
        .change(
            key,
            known ->
                Optional.of(judged(known.orElseGet(() -> noticed(key, inode, health)), health)));
  }

  /** What works on a stripe writes down itself what comes of it. */
  private RepairState judged(RepairState known, StripeHealth health) {
    if (!(known instanceof RepairState.Idle idle)) {
      // It repairs what it has found by itself; whatever else is lost is looked at after that.
      return known.judged(known.lost().plus(health.lost()), known.furtherLosses());
    }
    RepairState.Idle judged = idle.judged(health.lost(), health.furtherLosses());
    boolean unrecoverable = health.state() == State.UNRECOVERABLE;
    if (unrecoverable && known.status() != RepairStatus.UNRECOVERABLE) {
      // Tried all the same: a part of it may be had, and only while that part is there.
      return judged.foundUnrecoverable(health.message(), clock.instant());
    }
    return isNews(known, health) ? judged.wake() : judged;
  }

  /** Whether a stripe that was set aside is to be tried again. */
  private static boolean isNews(RepairState known, StripeHealth health) {
    return switch (known.status()) {
      case WAITING, RUNNING -> false;
      case UNRECOVERABLE ->
          health.state() != State.UNRECOVERABLE || !known.lost().equals(health.lost());
      case PARKED -> health.furtherLosses() <= 0 || !known.lost().equals(health.lost());
      case POSTPONED ->
          // That some of it came back is no reason to try what failed, or what is to be left.
          !known.lost().containsAll(health.lost())
              // Its node may have been waited for; a proof, or a read that failed, ends that.
              || (known instanceof RepairState.Postponed postponed
                  && postponed.awaitsNodes()
                  && health.findings().stream().anyMatch(IntegrityJob::endsTheWait));
    };
  }

  private static boolean endsTheWait(UnitFinding finding) {
    return finding.source() == DetectionSource.READ
        || (finding.fault().provesLoss() && finding.fault() != Fault.MISSING);
  }

  private RepairState noticed(StripeKey key, long inode, StripeHealth health) {
    return RepairState.Waiting.noticed(
        new DegradedStripe(
            key,
            inode,
            path(inode),
            health.stripe().codec().name(),
            health.lost(),
            health.furtherLosses(),
            health.findings().stream()
                .findFirst()
                .map(finding -> finding.source().name())
                .orElse(DetectionSource.NAMENODE.name()),
            clock.instant(),
            0,
            0));
  }

  private String path(long inode) {
    if (GroupId.isGroup(inode)) {
      return new GroupId(inode).toString();
    }
    return catalog
        .files()
        .find(inode)
        .map(file -> file.facts().path())
        .orElse("/.reserved/.inodes/" + inode);
  }

  /** Stripes of parity that is no more have nothing to repair; asked once for each parity file. */
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
          there =
              parity
                  .find(record.inode())
                  .filter(file -> file.file().inode() == record.stripe().parityInode())
                  .isPresent();
          last = Optional.of(record);
        }
        if (!there) {
          catalog.repairs().remove(record.stripe());
        }
        after = Optional.of(record.stripe());
      }
    }
  }

  private static boolean isOfSameParity(RepairState one, RepairState other) {
    return one.inode() == other.inode()
        && one.stripe().parityInode() == other.stripe().parityInode();
  }
}
