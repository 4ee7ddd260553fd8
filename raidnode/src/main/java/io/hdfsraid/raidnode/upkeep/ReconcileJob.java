// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.upkeep;

import io.hdfsraid.drfs.manifest.ManifestFormatException;
import io.hdfsraid.drfs.manifest.NewerManifestException;
import io.hdfsraid.drfs.parity.GroupId;
import io.hdfsraid.policies.FileFacts.Trait;
import io.hdfsraid.policies.Reason;
import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.FileRecord;
import io.hdfsraid.raidnode.catalog.Parity;
import io.hdfsraid.raidnode.catalog.ScrubDepth;
import io.hdfsraid.raidnode.journal.Journal;
import io.hdfsraid.raidnode.raiding.core.FileInWorkException;
import io.hdfsraid.raidnode.raiding.core.RaidOutcome;
import io.hdfsraid.raidnode.raiding.file.FileReconciler;
import io.hdfsraid.raidnode.raiding.file.Unraider;
import io.hdfsraid.raidnode.raiding.group.GroupOutcome;
import io.hdfsraid.raidnode.raiding.group.GroupReconciler;
import io.hdfsraid.raidnode.worker.Workers;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes files that are between two states to the next one. Each status has a share of a run, and
 * the next run continues where the share ended. So files that cannot progress do not block the
 * others. Files that operators want unraided come first.
 */
public final class ReconcileJob {
  private static final Logger LOG = LoggerFactory.getLogger(ReconcileJob.class);

  private static final Set<Reason> HELD_BY_OTHERS =
      EnumSet.of(Reason.GONE, Reason.HELD_BY_SNAPSHOT);

  /**
   * Reasons that an operator or a repair may end at any moment, and that cost little to ask for.
   */
  private static final Set<Reason> SOON_OTHERWISE =
      EnumSet.of(
          Reason.QUOTA_EXCEEDED,
          Reason.MISSING_BLOCKS,
          Reason.REPLICA_UNPROVEN,
          Reason.GONE,
          Reason.HELD_BY_SNAPSHOT);

  /** How many records of one state a run reads. */
  private static final int LOOKED_AT = 10_000;

  /** Units that cannot be moved now will not be movable in 15 seconds; the longer, the less. */
  private static final Duration STUCK = Duration.ofMinutes(10);

  private static final Duration LONG_STUCK = Duration.ofHours(1);

  /**
   * A good replica may be refused, too, for example a pinned block. It is not read again within
   * this time.
   */
  private static final Duration READ_OF_LATE = Duration.ofDays(7);

  /** Most ids of {@link #mended}; the others wait for their time. */
  private static final int MOST_MENDED = 10_000;

  /** The parts of a run, in order. */
  private enum Share {
    UNRAIDING(FileState.UNRAIDING, 4_000),
    TO_BE_REDUCED(FileState.COMMITTED, 2_000),
    TO_BE_AUDITED(FileState.REDUCED, 3_000),
    /**
     * Raided files. An operator may have asked to unraid one while another task worked on it; it is
     * unraided now.
     */
    SETTLED(FileState.RAIDED, 1_000);

    private final FileState status;
    private final int most;

    Share(FileState status, int most) {
      this.status = status;
      this.most = most;
    }
  }

  private final Catalog catalog;
  private final GroupReconciler groups;
  private final FileReconciler fileReconciler;
  private final Unraider unraider;
  private final Workers workers;
  private final Journal journal;
  private final Clock clock;

  /** The inode id at which the last run ended, for each share; guarded by itself. */
  private final Map<Share, Long> reached = new EnumMap<>(Share.class);

  /** The parity of files and groups that had repairs since the last run: they wait no longer. */
  private final Set<Long> mended = ConcurrentHashMap.newKeySet();

  public ReconcileJob(
      Catalog catalog,
      GroupReconciler groups,
      FileReconciler fileReconciler,
      Unraider unraider,
      Workers workers,
      Journal journal,
      Clock clock) {
    this.catalog = catalog;
    this.groups = groups;
    this.fileReconciler = fileReconciler;
    this.unraider = unraider;
    this.workers = workers;
    this.journal = journal;
    this.clock = clock;
    catalog.repairs().whenMended(this::mended);
  }

  private void mended(long parity) {
    if (mended.size() < MOST_MENDED) {
      mended.add(parity);
    }
  }

  /**
   * Reconciles the files whose turn it is.
   *
   * @return how many of the checked files and groups were between two states
   */
  public int run() throws IOException {
    Set<Long> underWay = new LinkedHashSet<>();
    Map<Long, List<Long>> toUnraid = new LinkedHashMap<>();
    Set<Long> news = Set.copyOf(mended);
    mended.removeAll(news);
    for (Share share : Share.values()) {
      look(share, news, underWay, toUnraid);
    }
    List<Workers.Task> tasks = new ArrayList<>();
    toUnraid.forEach((id, inodes) -> tasks.add(() -> unraidAfterAll(inodes)));
    underWay.removeAll(toUnraid.keySet());
    underWay.forEach(id -> tasks.add(() -> reconcile(id, "reconcile")));
    workers.inOrder(tasks);
    return tasks.size();
  }

  /**
   * @param mendedNow ids of parity that need not wait
   * @param underWay collects ids of parity
   * @param toUnraid collects members that an operator wants unraided, by the id of their parity
   */
  private void look(
      Share share, Set<Long> mendedNow, Set<Long> underWay, Map<Long, List<Long>> toUnraid) {
    int[] looked = {0};
    int[] found = {0};
    long[] last = {-1};
    catalog
        .files()
        .withStatus(
            share.status,
            reached(share),
            file -> {
              long id = parityOf(file.inode());
              if (share != Share.UNRAIDING && file.facts().is(Trait.UNRAIDED_BY_OPERATOR)) {
                toUnraid.computeIfAbsent(id, none -> new ArrayList<>()).add(file.inode());
                found[0]++;
              } else if (share != Share.SETTLED
                  && (mendedNow.contains(id) || !isLeft(file))
                  && underWay.add(id)) {
                found[0]++;
              }
              looked[0]++;
              boolean enough = found[0] == share.most || looked[0] == LOOKED_AT;
              last[0] = enough ? file.inode() : -1;
              return !enough;
            });
    synchronized (reached) {
      reached.put(share, last[0]);
    }
  }

  /** The inode id after which this share goes on; -1 for the first. */
  private long reached(Share share) {
    synchronized (reached) {
      return reached.getOrDefault(share, -1L);
    }
  }

  /** Nothing can be done for these now but to look again: the integrity check does that, too. */
  private boolean isLeft(FileRecord file) {
    return file.progress().reason().filter(HELD_BY_OTHERS::contains).isPresent()
        || file.progress().changesAt().filter(this::isYetToCome).isPresent();
  }

  /** A time further away than any pause comes from a clock that was set back since. */
  private boolean isYetToCome(Instant at) {
    Instant now = clock.instant();
    return at.isAfter(now) && !at.isAfter(now.plus(LONG_STUCK));
  }

  /** Returns the id of the parity of a file: that of its group if one is known, or its own. */
  public long parityOf(long inode) {
    return groups.groupOf(inode).map(GroupId::value).orElse(inode);
  }

  /**
   * Reconciles one file with parity, or one group.
   *
   * @param inode of a file; if it is in a group, the whole group is reconciled
   */
  public void reconcile(long inode, String by) throws IOException {
    reconcile(inode, by, outcome -> {});
  }

  /** Reconciles one file with parity, or one group, and passes the outcomes on. */
  void reconcile(long inode, String by, Consumer<RaidOutcome> listener) throws IOException {
    Optional<GroupId> group = groups.groupOf(inode);
    boolean reconciled = group.isPresent() && reconcile(group.get(), inode, by, listener);
    if (!reconciled && !GroupId.isGroup(inode)) {
      reconcileAlone(inode, by, listener);
    }
  }

  /** False when there is no such group any more, or the file is not in it. */
  private boolean reconcile(GroupId group, long inode, String by, Consumer<RaidOutcome> listener)
      throws IOException {
    try {
      GroupOutcome outcome = groups.reconcile(group);
      journal.worked("reconcile", outcome, by);
      leaveIfStuck(outcome.members());
      readIfRefused(group.value(), outcome.members().values());
      leaveIfInVain(group, outcome);
      outcome.members().values().forEach(listener);
      boolean isIn = outcome.members().containsKey(inode);
      if (!isIn) {
        groups.isNotIn(group, inode);
      }
      return isIn;
    } catch (FileInWorkException e) {
      throw e;
    } catch (NewerManifestException e) {
      journal.failed("reconcile", group, e, by);
      throw e; // the parity is good: nothing is raised because of it
    } catch (ManifestFormatException e) {
      unprotected(groups.membersOf(group), cannotBeRead(group, e), by);
      return true;
    } catch (IOException | RuntimeException e) {
      journal.failed("reconcile", group, e, by);
      throw e;
    }
  }

  /** Gives replicas back where members of a group are missing, and does no more. */
  void protect(GroupId group, String by) throws IOException {
    try {
      journal.worked("reconcile", groups.protect(group), by);
    } catch (NewerManifestException e) {
      journal.failed("reconcile", group, e, by);
      throw e; // the parity is good: nothing is raised because of it
    } catch (ManifestFormatException e) {
      unprotected(groups.membersOf(group), cannotBeRead(group, e), by);
    } catch (IOException | RuntimeException e) {
      journal.failed("reconcile", group, e, by);
      throw e;
    }
  }

  private static String cannotBeRead(GroupId group, ManifestFormatException e) {
    return "The manifest of %s cannot be read: %s".formatted(group, e);
  }

  /**
   * Gives a file with parity of its own its replicas back if the parity does not protect it as it
   * is, and does no more.
   */
  void protect(long inode, String by) throws IOException {
    alone(
        inode,
        by,
        () -> {
          Optional<RaidOutcome> outcome = fileReconciler.protect(inode);
          // What looks raised by a user may be raised by us. The record says so: a reconcile takes
          // such a file back.
          boolean raised = outcome.filter(now -> now.state() == FileState.RAIDED).isPresent();
          if (outcome.isPresent() && !(raised && wasRaisedWithoutParity(inode))) {
            writeDown("reconcile", inode, outcome.get(), by);
          }
        });
  }

  private void reconcileAlone(long inode, String by, Consumer<RaidOutcome> listener)
      throws IOException {
    alone(
        inode,
        by,
        () -> {
          if (wasRaisedWithoutParity(inode)) {
            fileReconciler.takeBack(inode);
          }
          RaidOutcome outcome = fileReconciler.reconcile(inode);
          listener.accept(outcome);
          writeDown("reconcile", inode, outcome, by);
          leaveIfStuck(Map.of(inode, outcome));
          readIfRefused(inode, List.of(outcome));
        });
  }

  /** Works on a file with parity of its own, and records failures. */
  private void alone(long inode, String by, Workers.Task work) throws IOException {
    try {
      work.run();
    } catch (FileInWorkException e) {
      throw e;
    } catch (NewerManifestException e) {
      journal.failed("reconcile", inode, e, by);
      throw e; // the parity is good: nothing is raised because of it
    } catch (ManifestFormatException e) {
      unprotected(inode, "Its manifest cannot be read: " + e.getMessage(), by);
    } catch (IOException | RuntimeException e) {
      journal.failed("reconcile", inode, e, by);
      throw e;
    }
  }

  /** Whether we have raised its replication, and no user. */
  private boolean wasRaisedWithoutParity(long inode) {
    return catalog.files().find(inode).filter(FileRecord::wasRaisedWithoutParity).isPresent();
  }

  /** Records until when stuck files are skipped, so that the next daemon skips them, too. */
  private void leaveIfStuck(Map<Long, RaidOutcome> outcomes) {
    boolean isStuck =
        outcomes.values().stream()
            .filter(outcome -> outcome.state() == FileState.REDUCED)
            .anyMatch(outcome -> outcome.spread().filter(s -> s.stuck() > 0).isPresent());
    if (isStuck) {
      outcomes.keySet().forEach(inode -> catalog.files().update(inode, this::left));
    }
  }

  /**
   * A DataNode refuses to copy a replica that does not fit its checksums, and reports it to no one.
   * Without help the file would stay there until its next scrub. So the scrub reads it next, unless
   * it did so recently.
   */
  private void readIfRefused(long id, Collection<RaidOutcome> outcomes) {
    boolean refused =
        outcomes.stream()
            .flatMap(outcome -> outcome.spread().stream())
            .anyMatch(spread -> spread.refused() > 0);
    if (refused) {
      Instant now = clock.instant();
      catalog.scrubs().hasten(id, ScrubDepth.DEEP, now.minus(READ_OF_LATE), now);
    }
  }

  /**
   * A group was read as a whole and could not be encoded again; it would be read again in 15
   * seconds. The members that leave it are left with it, for their turn is the group's.
   */
  private void leaveIfInVain(GroupId group, GroupOutcome outcome) {
    boolean inVain =
        outcome.group().equals(group)
            && outcome.members().values().stream()
                .filter(member -> member.state() == FileState.REDUCED)
                .flatMap(member -> member.reason().stream())
                .anyMatch(reason -> !SOON_OTHERWISE.contains(reason));
    if (inVain) {
      outcome
          .members()
          .keySet()
          .forEach(
              inode ->
                  catalog
                      .files()
                      .update(
                          inode,
                          file -> file.state() == FileState.UNRAIDING ? later(file) : left(file)));
    }
  }

  private FileRecord left(FileRecord file) {
    return file.state() == FileState.REDUCED ? later(file) : file;
  }

  private FileRecord later(FileRecord file) {
    Instant now = clock.instant();
    Duration age = Duration.between(file.progress().since(), now);
    Duration pause =
        age.compareTo(STUCK) < 0 ? STUCK : age.compareTo(LONG_STUCK) < 0 ? age : LONG_STUCK;
    return file.with(file.progress().until(now.plus(pause)));
  }

  /**
   * As {@link #unprotected(long, String, String)}, for each file. A failure for one file, such as a
   * quota, is recorded and does not stop the others. The next run tries again.
   */
  public void unprotected(Collection<Long> inodes, String why, String by) {
    for (long inode : inodes) {
      try {
        unprotected(inode, why, by);
      } catch (IOException e) {
        journal.failed("reconcile", inode, e, by);
      }
    }
  }

  /**
   * The parity that the catalog knows of is not there, or cannot be read: gives the file its
   * replicas back.
   *
   * @param why for a person
   */
  public void unprotected(long inode, String why, String by) throws IOException {
    Optional<Parity> known = catalog.files().find(inode).flatMap(FileRecord::parity);
    if (known.isPresent()) {
      journal.worked(
          "reconcile",
          inode,
          fileReconciler.unprotected(inode, known.get().originalReplication(), why),
          by);
    }
  }

  /**
   * The parity does not belong to its data, so it protects nothing: gives the files their replicas
   * back, and the parity goes when they have them. Policies may raid the files again.
   *
   * @param id of parity, see {@link #parityOf}
   * @param why for a person
   */
  public void parityIsWrong(long id, String why, String by) throws IOException {
    LOG.atError().addKeyValue("parity", id).log(why);
    String path = catalog.files().find(id).map(file -> file.facts().path()).orElse("");
    journal.note("parity-wrong", Optional.of(id), path, false, by, why, 0, 0);
    unraidParity(id, by);
  }

  /**
   * Starts to unraid what this parity protects, a file or a whole group. Later runs continue.
   *
   * @param id of parity, see {@link #parityOf}
   */
  void unraidParity(long id, String by) throws IOException {
    if (!GroupId.isGroup(id)) {
      unraidAlone(id, by);
      return;
    }
    GroupId group = new GroupId(id);
    try {
      journal.worked("unraid", groups.unraid(group), by);
    } catch (FileInWorkException e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      journal.failed("unraid", group, e, by);
      throw e;
    }
  }

  /**
   * Of a file that the catalog knows to be raided and that has no parity any more, somebody deleted
   * it: that must not be forgotten before the file has its replicas back.
   */
  private void writeDown(String action, long inode, RaidOutcome outcome, String by)
      throws IOException {
    boolean raided = catalog.files().find(inode).flatMap(FileRecord::parity).isPresent();
    if (raided && outcome.equals(RaidOutcome.WITHOUT_PARITY)) {
      unprotected(inode, "Its parity file is gone from HDFS", by);
    } else {
      journal.worked(action, inode, outcome, by);
    }
  }

  /**
   * Gives a file its replicas back that is known to be raided and whose parity is gone. Otherwise a
   * new manifest would record the few replicas that it has now as all that it ever had.
   */
  public void restoreIfParityIsGone(long inode, String by) throws IOException {
    boolean raided = catalog.files().find(inode).flatMap(FileRecord::parity).isPresent();
    if (raided && !fileReconciler.hasParity(parityOf(inode))) {
      unprotected(inode, "Its parity file is gone from HDFS", by);
    }
  }

  /** Starts to unraid a file. Later runs continue. */
  public void unraid(long inode, String by) throws IOException {
    unraid(List.of(inode), by);
  }

  /**
   * Starts to unraid files. Later runs continue.
   *
   * @param inodes of files that have the same {@linkplain #parityOf parity}: one, or members of one
   *     group
   */
  public void unraid(Collection<Long> inodes, String by) throws IOException {
    try {
      unraidTogether(inodes, by);
    } catch (FileInWorkException e) {
      for (long inode : inodes) {
        journal.busy("unraid", inode, "It will be unraided after that. " + e.getMessage(), by);
      }
      throw e;
    }
  }

  /** Unraids what an operator wanted unraided while another task worked on it. */
  private void unraidAfterAll(List<Long> inodes) throws IOException {
    unraidTogether(inodes, "reconcile");
  }

  private void unraidTogether(Collection<Long> inodes, String by) throws IOException {
    long first = inodes.iterator().next();
    Optional<GroupId> group = groups.groupOf(first);
    if (group.isPresent()) {
      GroupOutcome released;
      try {
        released = groups.unraidMembers(group.get(), inodes);
      } catch (FileInWorkException e) {
        throw e;
      } catch (IOException | RuntimeException e) {
        journal.failed("unraid", group.get(), e, by);
        throw e;
      }
      journal.worked("unraid", released, by);
      if (!released.members().isEmpty()) {
        return;
      }
    }
    for (long inode : inodes) {
      unraidAlone(inode, by);
    }
  }

  private void unraidAlone(long inode, String by) throws IOException {
    try {
      writeDown("unraid", inode, unraider.unraid(inode), by);
    } catch (FileInWorkException e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      journal.failed("unraid", inode, e, by);
      throw e;
    }
  }
}
