package io.hdfsraid.raidnode.rounds;

import io.hdfsraid.drfs.manifest.ManifestFormatException;
import io.hdfsraid.policies.Reason;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.FileRecord;
import io.hdfsraid.raidnode.catalog.FileStatus;
import io.hdfsraid.raidnode.catalog.Parity;
import io.hdfsraid.raidnode.raid.FileInWorkException;
import io.hdfsraid.raidnode.raid.Guardian;
import io.hdfsraid.raidnode.raid.Outcome;
import io.hdfsraid.raidnode.raid.Stage;
import io.hdfsraid.raidnode.raid.Unraider;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
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
  private final Guardian guardian;
  private final Unraider unraider;
  private final Workers workers;
  private final Journal journal;
  private final Clock clock;

  /** Files with units that could not be moved: looked at again by inode id after that time. */
  private final Map<Long, Instant> leftUntil = new HashMap<>();

  public AttendRound(
      Catalog catalog,
      Guardian guardian,
      Unraider unraider,
      Workers workers,
      Journal journal,
      Clock clock) {
    this.catalog = catalog;
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
    for (FileStatus status : UNDER_WAY) {
      catalog
          .files()
          .withStatus(
              status,
              -1,
              file -> {
                // Nothing can be done for these but to look again: the integrity check does.
                if (file.standing().reason().filter(HELD_BY_OTHERS::contains).isEmpty()
                    && !isLeft(file.inode())) {
                  tasks.add(() -> attend(file.inode(), "attend"));
                }
                return tasks.size() < MOST;
              });
    }
    workers.inOrder(tasks);
    return tasks.size();
  }

  /** Attends to one file with parity. */
  public void attend(long inode, String by) throws IOException {
    attend(inode, by, outcome -> {});
  }

  /** Attends to one file with parity and tells what came of it. */
  void attend(long inode, String by, Consumer<Outcome> listener) throws IOException {
    try {
      Outcome outcome = guardian.attend(inode);
      leaveIfStuck(inode, outcome);
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
  private void leaveIfStuck(long inode, Outcome outcome) {
    boolean isStuck =
        outcome.stage() == Stage.REDUCED
            && outcome.spread().filter(spread -> spread.stuck() > 0).isPresent();
    synchronized (leftUntil) {
      leftUntil.remove(inode);
      if (isStuck && leftUntil.size() < MOST) {
        leftUntil.put(inode, clock.instant().plus(STUCK));
      }
    }
  }

  private boolean isLeft(long inode) {
    synchronized (leftUntil) {
      Instant until = leftUntil.get(inode);
      return until != null && clock.instant().isBefore(until);
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

  /** Starts to let a file go; later rounds go on with it. */
  public void unraid(long inode, String by) throws IOException {
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
