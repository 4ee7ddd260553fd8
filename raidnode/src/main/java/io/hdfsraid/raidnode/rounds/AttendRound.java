package io.hdfsraid.raidnode.rounds;

import io.hdfsraid.drfs.manifest.ManifestFormatException;
import io.hdfsraid.drfs.parity.GroupId;
import io.hdfsraid.policies.Reason;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.FileRecord;
import io.hdfsraid.raidnode.catalog.FileStatus;
import io.hdfsraid.raidnode.catalog.Parity;
import io.hdfsraid.raidnode.raid.FileInWorkException;
import io.hdfsraid.raidnode.raid.GroupKeeper;
import io.hdfsraid.raidnode.raid.GroupOutcome;
import io.hdfsraid.raidnode.raid.Guardian;
import io.hdfsraid.raidnode.raid.Outcome;
import io.hdfsraid.raidnode.raid.Stage;
import io.hdfsraid.raidnode.raid.Unraider;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** Takes the files that are under way to their next stage. */
public final class AttendRound {
  private static final List<FileStatus> UNDER_WAY =
      List.of(FileStatus.REDUCED, FileStatus.COMMITTED, FileStatus.UNRAIDING);
  private static final Set<Reason> HELD_BY_OTHERS =
      EnumSet.of(Reason.GONE, Reason.HELD_BY_SNAPSHOT);
  private static final int MOST = 10_000;
  private static final Duration STUCK = Duration.ofMinutes(10);

  private final Catalog catalog;
  private final GroupKeeper groups;
  private final Guardian guardian;
  private final Unraider unraider;
  private final Workers workers;
  private final Journal journal;
  private final Clock clock;

  /** Parity with units that could not be moved: looked at again, by its id, after that time. */
  private final Map<Long, Instant> leftUntil = new HashMap<>();

  public AttendRound(
      Catalog catalog,
      GroupKeeper groups,
      Guardian guardian,
      Unraider unraider,
      Workers workers,
      Journal journal,
      Clock clock) {
    this.catalog = catalog;
    this.groups = groups;
    this.guardian = guardian;
    this.unraider = unraider;
    this.workers = workers;
    this.journal = journal;
    this.clock = clock;
  }

  /**
   * One round.
   *
   * @return how many files were under way when it began
   */
  public int run() throws IOException {
    List<Workers.Task> tasks = new ArrayList<>();
    Set<Long> met = new HashSet<>();
    for (FileStatus status : UNDER_WAY) {
      catalog
          .files()
          .withStatus(
              status,
              -1,
              file -> {
                // Nothing can be done for these but to look again: the integrity check does.
                if (file.standing().reason().filter(HELD_BY_OTHERS::contains).isEmpty()) {
                  long id = parityOf(file.inode());
                  if (!isLeft(id) && met.add(id)) {
                    tasks.add(() -> attend(id, "attend"));
                  }
                }
                return tasks.size() < MOST;
              });
    }
    workers.inOrder(tasks);
    return tasks.size();
  }

  /** The id of the parity of a file, as far as is remembered: its group's, or its own. */
  public long parityOf(long inode) {
    return groups.groupOf(inode).map(GroupId::value).orElse(inode);
  }

  /**
   * Attends to one file with parity, or to a group.
   *
   * @param inode of a file; if it is in a group, all of that is attended to
   */
  public void attend(long inode, String by) throws IOException {
    attend(inode, by, outcome -> {});
  }

  /** Attends to one file with parity, or to a group, and tells what came of it. */
  void attend(long inode, String by, Consumer<Outcome> listener) throws IOException {
    Optional<GroupId> group = groups.groupOf(inode);
    boolean attended = group.isPresent() && attend(group.get(), inode, by, listener);
    if (!attended && !GroupId.isGroup(inode)) {
      attendAlone(inode, by, listener);
    }
  }

  /** False when there is no such group any more, or the file is not in it. */
  private boolean attend(GroupId group, long inode, String by, Consumer<Outcome> listener)
      throws IOException {
    try {
      GroupOutcome outcome = groups.attend(group);
      leaveIfStuck(group.value(), outcome.members().values());
      journal.worked("attend", outcome, by);
      outcome.members().values().forEach(listener);
      boolean isIn = outcome.members().containsKey(inode);
      if (!isIn) {
        groups.isNotIn(group, inode);
      }
      return isIn;
    } catch (FileInWorkException e) {
      throw e;
    } catch (ManifestFormatException e) {
      unprotected(
          groups.membersOf(group), "The manifest of %s cannot be read: %s".formatted(group, e), by);
      return true;
    } catch (IOException | RuntimeException e) {
      journal.failed("attend", group, e, by);
      throw e;
    }
  }

  private void attendAlone(long inode, String by, Consumer<Outcome> listener) throws IOException {
    try {
      Outcome outcome = guardian.attend(inode);
      leaveIfStuck(inode, List.of(outcome));
      listener.accept(outcome);
      journal.worked("attend", inode, outcome, by);
    } catch (FileInWorkException e) {
      throw e;
    } catch (ManifestFormatException e) {
      unprotected(inode, "Its manifest cannot be read: " + e.getMessage(), by);
    } catch (IOException | RuntimeException e) {
      journal.failed("attend", inode, e, by);
      throw e;
    }
  }

  /** Units that cannot be moved now will not be movable in 15 seconds. */
  private void leaveIfStuck(long id, Collection<Outcome> outcomes) {
    boolean isStuck =
        outcomes.stream()
            .filter(outcome -> outcome.stage() == Stage.REDUCED)
            .anyMatch(outcome -> outcome.spread().filter(s -> s.stuck() > 0).isPresent());
    synchronized (leftUntil) {
      leftUntil.remove(id);
      if (isStuck && leftUntil.size() < MOST) {
        leftUntil.put(id, clock.instant().plus(STUCK));
      }
    }
  }

  private boolean isLeft(long id) {
    synchronized (leftUntil) {
      Instant until = leftUntil.get(id);
      return until != null && clock.instant().isBefore(until);
    }
  }

  /**
   * As {@link #unprotected(long, String, String)}, for each of them: what fails for one, as for its
   * quota, is written down and keeps no other from its replicas. The next round tries again.
   */
  void unprotected(Collection<Long> inodes, String why, String by) {
    for (long inode : inodes) {
      try {
        unprotected(inode, why, by);
      } catch (IOException e) {
        journal.failed("attend", inode, e, by);
      }
    }
  }

  /**
   * The parity that the catalog knows of is not there, or cannot be read: gives the file its
   * replicas back.
   *
   * @param why for a person
   */
  void unprotected(long inode, String why, String by) throws IOException {
    Optional<Parity> known = catalog.files().find(inode).flatMap(FileRecord::parity);
    if (known.isPresent()) {
      journal.worked(
          "attend", inode, guardian.unprotected(inode, known.get().originalReplication(), why), by);
    }
  }

  /**
   * Starts to let go what this parity protects, a file or all of a group; later rounds go on with
   * it.
   *
   * @param id of parity, see {@link #parityOf}
   */
  void letGo(long id, String by) throws IOException {
    if (!GroupId.isGroup(id)) {
      unraidAlone(id, by);
      return;
    }
    GroupId group = new GroupId(id);
    try {
      journal.worked("unraid", groups.letGo(group), by);
    } catch (FileInWorkException e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      journal.failed("unraid", group, e, by);
      throw e;
    }
  }

  /** Starts to let a file go; later rounds go on with it. */
  public void unraid(long inode, String by) throws IOException {
    unraid(List.of(inode), by);
  }

  /**
   * Starts to let files go; later rounds go on with it.
   *
   * @param inodes of files that have the same {@linkplain #parityOf parity}: one, or members of one
   *     group
   */
  public void unraid(Collection<Long> inodes, String by) throws IOException {
    long first = inodes.iterator().next();
    Optional<GroupId> group = groups.groupOf(first);
    if (group.isPresent()) {
      GroupOutcome released;
      try {
        released = groups.release(group.get(), inodes);
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
      journal.worked("unraid", inode, unraider.unraid(inode), by);
    } catch (FileInWorkException e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      journal.failed("unraid", inode, e, by);
      throw e;
    }
  }
}
