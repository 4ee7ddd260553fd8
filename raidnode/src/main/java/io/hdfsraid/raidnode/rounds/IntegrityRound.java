package io.hdfsraid.raidnode.rounds;

import io.hdfsraid.blockfixer.detect.IntegrityCheck;
import io.hdfsraid.blockfixer.detect.LossReports;
import io.hdfsraid.blockfixer.detect.Source;
import io.hdfsraid.blockfixer.detect.StripeHealth;
import io.hdfsraid.blockfixer.detect.StripeHealth.State;
import io.hdfsraid.drfs.namespace.FileState;
import io.hdfsraid.drfs.namespace.Namespace;
import io.hdfsraid.drfs.parity.GroupId;
import io.hdfsraid.drfs.parity.ParityFile;
import io.hdfsraid.drfs.parity.ParityStore;
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
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Looks at everything that has parity: attends to the file, then judges its stripes, and puts the
 * ones that have lost units into the repair ledger. It goes by what HDFS shows, not by the catalog,
 * so it also finds again what a lost catalog knew.
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

  /** Inode ids met by the round under way. */
  private final Set<Long> met = ConcurrentHashMap.newKeySet();

  public IntegrityRound(
      ParityStore parity,
      Namespace namespace,
      IntegrityCheck check,
      LossReports reports,
      AttendRound attending,
      QuarantineRound quarantine,
      Catalog catalog,
      Workers workers,
      RaidEvents events,
      Clock clock) {
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
  }

  /** One round over all parity, by the word of NameNode and DataNodes. */
  public synchronized void run() throws IOException {
    Instant began = clock.instant();
    Batches batches = new Batches();
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

    void add(long inode) {
      met.add(inode);
      tasks.add(() -> attendAndCheck(inode));
      if (tasks.size() == BATCH) {
        try {
          finish();
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
    }

    void finish() throws IOException {
      workers.inOrder(tasks);
      tasks.clear();
    }
  }

  /**
   * Checks the files of which the NameNode lists lost blocks. Its list names paths, which can be
   * stale: what it does not lead to is found by the next full round.
   *
   * @return how many files were checked
   */
  public int runReported() throws IOException {
    Set<String> paths = new HashSet<>();
    reports.read().forEach(lost -> paths.add(lost.path()));
    Set<Long> inodes = new HashSet<>();
    for (String path : paths) {
      Optional<Long> ofParity = parity.sourceOf(path);
      if (ofParity.isPresent()) {
        inodes.add(ofParity.get());
      } else {
        namespace.file(path).map(FileState::inode).map(attending::parityOf).ifPresent(inodes::add);
      }
    }
    for (long inode : inodes) {
      if (parity.find(inode).isEmpty()) {
        quarantine.reviveNeeded(inode);
      }
    }
    List<Workers.Task> tasks = new ArrayList<>();
    inodes.forEach(inode -> tasks.add(() -> check(inode)));
    workers.inOrder(tasks);
    return inodes.size();
  }

  private void attendAndCheck(long inode) throws IOException {
    try {
      attending.attend(inode, "integrity check");
      parity.refreshAccess(inode);
    } catch (FileInWorkException e) {
      return; // whoever works on it sees to it; the next round looks again
    } finally {
      // Also when attending failed, for a quota or a fence: losses are found all the same.
      check(inode);
    }
  }

  /**
   * Judges the stripes of one file now; empty when it has no parity.
   *
   * @param inode of a file, or the id of a group: of a file in a group, the stripes it has blocks
   *     in
   */
  public List<StripeHealth> check(long inode) throws IOException {
    List<StripeHealth> stripes = look(inode);
    stripes.forEach(health -> writeDown(attending.parityOf(inode), health));
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

  private void writeDown(long inode, StripeHealth health) {
    StripeKey key = new StripeKey(health.stripe().parityInode(), health.stripe().index());
    if (health.state() == State.HEALTHY) {
      catalog.repairs().remove(key);
      return;
    }
    events.found(health);
    if (health.state() == State.UNKNOWN) {
      catalog.repairs().remove(key);
      return;
    }
    RepairRecord known = catalog.repairs().find(key).orElseGet(() -> noticed(key, inode, health));
    if (known.status() == RepairStatus.RUNNING) {
      return;
    }
    boolean sameLosses = known.lost().equals(health.lost());
    RepairRecord judged = known.judged(health.lost(), health.furtherLosses());
    if (health.state() == State.UNRECOVERABLE) {
      judged = judged.to(RepairStatus.UNRECOVERABLE, health.message(), Optional.empty());
    } else if (!sameLosses
        || known.status() == RepairStatus.UNRECOVERABLE
        || (known.status() == RepairStatus.PARKED && health.furtherLosses() <= 0)) {
      judged = judged.to(RepairStatus.WAITING, "", Optional.empty());
    }
    catalog.repairs().put(judged);
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

  /** Stripes of parity that is no more have nothing to repair. */
  private void dropVanished() throws IOException {
    Optional<StripeKey> after = Optional.empty();
    while (true) {
      List<RepairRecord> page = catalog.repairs().list(after, 1_000);
      if (page.isEmpty()) {
        return;
      }
      for (RepairRecord record : page) {
        boolean there =
            parity
                .find(record.inode())
                .filter(file -> file.file().inode() == record.stripe().parityInode())
                .isPresent();
        if (!there) {
          catalog.repairs().remove(record.stripe());
        }
        after = Optional.of(record.stripe());
      }
    }
  }
}
