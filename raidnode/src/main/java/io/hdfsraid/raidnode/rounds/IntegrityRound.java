package io.hdfsraid.raidnode.rounds;

import io.hdfsraid.blockfixer.detect.Fault;
import io.hdfsraid.blockfixer.detect.Finding;
import io.hdfsraid.blockfixer.detect.IntegrityCheck;
import io.hdfsraid.blockfixer.detect.LossReports;
import io.hdfsraid.blockfixer.detect.Source;
import io.hdfsraid.blockfixer.detect.StripeHealth;
import io.hdfsraid.blockfixer.detect.StripeHealth.State;
import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.namespace.FileState;
import io.hdfsraid.drfs.namespace.Namespace;
import io.hdfsraid.drfs.parity.GroupId;
import io.hdfsraid.drfs.parity.ParityFile;
import io.hdfsraid.drfs.parity.ParityStore;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import io.hdfsraid.drfs.stripe.StripeUnit;
import io.hdfsraid.drfs.stripe.StripeUnit.Standing;
import io.hdfsraid.erasurecode.UnitSet;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.FileStatus;
import io.hdfsraid.raidnode.catalog.RepairRecord;
import io.hdfsraid.raidnode.catalog.RepairStatus;
import io.hdfsraid.raidnode.catalog.StripeKey;
import io.hdfsraid.raidnode.raid.FileInWorkException;
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
 * Looks at everything that has parity: attends to the file, then judges its stripes by the
 * NameNode's word, and puts the ones that have lost units into the repair ledger. DataNodes are
 * asked by the scrub, at a pace ({@link ScrubRound}), and here only for stripes that are in the
 * ledger. It goes by what HDFS shows, not by the catalog, so it also finds again what a lost
 * catalog knew.
 */
public final class IntegrityRound {
  /** Name of the note of when the last complete round began. */
  public static final String LAST_CHECK = "last-integrity-check";

  private static final int BATCH = 1_000;

  private final ParityStore parity;
  private final Namespace namespace;
  private final IntegrityCheck check;
  private final LossReports reports;
  private final AttendRound attending;
  private final QuarantineRound quarantine;
  private final Catalog catalog;
  private final Workers workers;
  private final RaidEvents events;
  private final Clock clock;

  private final ReportedLosses reported = new ReportedLosses();
  private final Workers reporting;

  /** Nodes that were silent when the round under way last asked. */
  private volatile Set<DataNode> silent = Set.of();

  /** Inode ids met by the round under way. */
  private final Set<Long> met = ConcurrentHashMap.newKeySet();

  /**
   * Rounds over all parity, and looks at what is reported in between.
   *
   * @param reporting look at what is reported as lost, and at nothing else: a round over
   *     everything, for which {@code workers} are, may take hours
   */
  public IntegrityRound(
      ParityStore parity,
      Namespace namespace,
      IntegrityCheck check,
      LossReports reports,
      AttendRound attending,
      QuarantineRound quarantine,
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
    this.attending = attending;
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
    for (FileStatus status :
        List.of(
            FileStatus.COMMITTED, FileStatus.REDUCED, FileStatus.RAIDED, FileStatus.UNRAIDING)) {
      catalog
          .files()
          .withStatus(
              status,
              -1,
              file -> {
                if (!met.contains(attending.parityOf(file.inode()))) {
                  doubtful.add(file.inode());
                }
                return true;
              });
    }
    met.clear();
    List<Long> unprotected = new ArrayList<>();
    for (long inode : doubtful) {
      if (parity.find(attending.parityOf(inode)).isEmpty()) {
        unprotected.add(inode);
      }
    }
    attending.unprotected(unprotected, "Its parity file is gone from HDFS", "integrity check");
  }

  /** Files in bundles: a namespace has more of them than fit into memory as tasks. */
  private final class Batches {
    private final List<Workers.Task> tasks = new ArrayList<>(BATCH);
    private final Inspection inspection;

    Batches(Inspection inspection) {
      this.inspection = inspection;
    }

    void add(long inode) {
      met.add(inode);
      catalog.scrubs().meet(inode, clock.instant());
      tasks.add(() -> attendAndInspect(inode, inspection));
      if (tasks.size() == BATCH) {
        try {
          finish();
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
    }

    void finish() throws IOException {
      silent = SilentNodesRound.nodes(namespace.quietNodes(SilentNodesRound.SILENCE));
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
        id = namespace.file(path).map(FileState::inode).map(attending::parityOf);
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

  private void attendAndInspect(long inode, Inspection inspection) throws IOException {
    try {
      attending.attend(inode, "integrity check");
      parity.refreshAccess(inode);
    } catch (FileInWorkException e) {
      return; // whoever works on it sees to it
    } finally {
      // Also when nobody could attend to it, for a quota or a fence: losses are found all the same.
      inspection.of(inode);
    }
  }

  /**
   * Judges the stripes with this parity by the NameNode's word. It may not know of a loss that is
   * in the ledger, nor that nodes are dead which have merely been silent so far: of the stripes
   * that this may make a difference to the DataNodes are asked, too.
   */
  private void judge(long id) throws IOException {
    Optional<ParityFile> found = parity.find(attending.parityOf(id));
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
                .filter(unit -> unit.standing() == Standing.LIVE)
                .filter(
                    unit ->
                        unit.located().orElseThrow().live().stream()
                            .allMatch(replica -> nodes.contains(replica.node())))
                .mapToInt(StripeUnit::unit));
  }

  /** Judges a stripe of the ledger anew, by the word of DataNodes, if it has a unit on these. */
  void checkIfOn(Set<DataNode> nodes, RepairRecord known) throws IOException {
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
    stripes.forEach(health -> note(attending.parityOf(inode), health));
    return stripes;
  }

  /** As {@link #check}, but writes nothing down: what is in the ledger will be repaired. */
  public List<StripeHealth> look(long inode) throws IOException {
    Optional<ParityFile> found = parity.find(attending.parityOf(inode));
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
    stripe.ifPresent(health -> note(attending.parityOf(inode), health));
    return stripe;
  }

  /** As {@link #look(long)}, of one stripe; empty when there is none of this index. */
  public Optional<StripeHealth> look(long inode, int index) throws IOException {
    Optional<ParityFile> found =
        parity
            .find(attending.parityOf(inode))
            .filter(file -> index < file.manifest().stripes().size());
    return found.isEmpty()
        ? Optional.empty()
        : Optional.of(check.check(check.locate(found.get(), index)));
  }

  /** What the ledger knows of one stripe. */
  public Optional<RepairRecord> known(long inode, int index) throws IOException {
    Optional<ParityFile> found = parity.find(attending.parityOf(inode));
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
  void note(long inode, StripeHealth health) {
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
  private RepairRecord judged(RepairRecord known, StripeHealth health) {
    if (known.status() == RepairStatus.RUNNING) {
      // It repairs what it has found by itself; whatever else is lost is looked at after that.
      return known.judged(known.lost().plus(health.lost()), known.furtherLosses());
    }
    RepairRecord judged = known.judged(health.lost(), health.furtherLosses());
    boolean unrecoverable = health.state() == State.UNRECOVERABLE;
    if (unrecoverable && known.status() != RepairStatus.UNRECOVERABLE) {
      // Tried all the same: a part of it may be had, and only while that part is there.
      return judged.to(RepairStatus.UNRECOVERABLE, health.message(), Optional.of(clock.instant()));
    }
    return isNews(known, health)
        ? judged.to(RepairStatus.WAITING, known.reason(), Optional.empty())
        : judged;
  }

  /** Whether a stripe that was set aside is to be tried again. */
  private static boolean isNews(RepairRecord known, StripeHealth health) {
    return switch (known.status()) {
      case WAITING, RUNNING -> false;
      case UNRECOVERABLE ->
          health.state() != State.UNRECOVERABLE || !known.lost().equals(health.lost());
      case PARKED -> health.furtherLosses() <= 0 || !known.lost().equals(health.lost());
      case POSTPONED ->
          // That some of it came back is no reason to try what failed, or what is to be left.
          !known.lost().containsAll(health.lost())
              // Its node may have been waited for; a proof, or a read that failed, ends that.
              || (known.reason().equals(TransientLosses.WHY)
                  && health.findings().stream().anyMatch(IntegrityRound::endsTheWait));
    };
  }

  private static boolean endsTheWait(Finding finding) {
    return finding.source() == Source.READ
        || (finding.fault().provesLoss() && finding.fault() != Fault.MISSING);
  }

  private RepairRecord noticed(StripeKey key, long inode, StripeHealth health) {
    return new RepairRecord(
        key,
        inode,
        path(inode),
        health.stripe().codec().name(),
        health.lost(),
        health.furtherLosses(),
        RepairStatus.WAITING,
        health.findings().stream()
            .findFirst()
            .map(finding -> finding.source().name())
            .orElse(Source.NAMENODE.name()),
        clock.instant(),
        0,
        "",
        Optional.empty(),
        0);
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
    Optional<RepairRecord> last = Optional.empty();
    boolean there = false;
    while (true) {
      List<RepairRecord> page = catalog.repairs().list(after, BATCH);
      if (page.isEmpty()) {
        return;
      }
      for (RepairRecord record : page) {
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

  private static boolean isOfSameParity(RepairRecord one, RepairRecord other) {
    return one.inode() == other.inode()
        && one.stripe().parityInode() == other.stripe().parityInode();
  }
}
