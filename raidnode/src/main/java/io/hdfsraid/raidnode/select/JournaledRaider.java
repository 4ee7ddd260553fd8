// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.select;

import io.hdfsraid.drfs.namespace.DeposedException;
import io.hdfsraid.drfs.namespace.UnconfirmedOwnershipException;
import io.hdfsraid.policies.FileFacts;
import io.hdfsraid.policies.Protection;
import io.hdfsraid.raidnode.journal.Journal;
import io.hdfsraid.raidnode.journal.RaidEvents;
import io.hdfsraid.raidnode.raiding.core.FileInWorkException;
import io.hdfsraid.raidnode.raiding.core.RaidOutcome;
import io.hdfsraid.raidnode.raiding.core.RaidProgress;
import io.hdfsraid.raidnode.raiding.file.Raider;
import io.hdfsraid.raidnode.raiding.group.GroupOutcome;
import io.hdfsraid.raidnode.raiding.group.GroupRaider;
import io.hdfsraid.raidnode.schedule.Failures;
import io.hdfsraid.raidnode.upkeep.ReconcileJob;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Raids files for policies and operators, and writes the outcome to the journal. */
public final class JournaledRaider {
  private final Raider raider;
  private final GroupRaider groupRaider;
  private final PoliciesInForce policies;
  private final ReconcileJob reconciler;
  private final Journal journal;
  private final RaidEvents events;

  /**
   * Creates a raider.
   *
   * @param policies tell how much a group must save
   * @param reconciler continues what an earlier attempt has committed
   */
  public JournaledRaider(
      Raider raider,
      GroupRaider groupRaider,
      PoliciesInForce policies,
      ReconcileJob reconciler,
      Journal journal,
      RaidEvents events) {
    this.raider = raider;
    this.groupRaider = groupRaider;
    this.policies = policies;
    this.reconciler = reconciler;
    this.journal = journal;
    this.events = events;
  }

  /**
   * Stores a record of a file that is to be raided, unless there is one.
   *
   * @param by the policy, or the operator, that wants the file raided
   */
  public void know(FileFacts file, String by) {
    journal.wanted(file, by);
  }

  /**
   * Raids files together. If an earlier attempt has committed a group with one of these files and
   * died before this was stored, continues with that group first. A file whose parity is gone and
   * which cannot get its replicas back now is left out.
   */
  public void raidTogether(List<Long> wanted, Protection protection, String by) throws IOException {
    raidTogether(wanted, protection, by, RaidProgress.NONE);
  }

  /**
   * Works as {@link #raidTogether(List, Protection, String)}.
   *
   * @param progress told of source bytes that were encoded
   * @return why some of the files were not raided; empty if all were
   */
  public Optional<String> raidTogether(
      List<Long> wanted, Protection protection, String by, RaidProgress progress)
      throws IOException {
    List<Long> ready = new ArrayList<>();
    for (long inode : wanted) {
      if (isReady(inode, by)) {
        ready.add(inode);
      }
    }
    Set<Long> groups = new TreeSet<>();
    for (long inode : ready) {
      long id = reconciler.parityOf(inode);
      if (id != inode && groups.add(id)) {
        try {
          reconciler.reconcile(id, by);
        } catch (FileInWorkException e) {
          // The task that works on the group continues it.
        }
      }
    }
    List<Long> inodes =
        ready.stream().filter(inode -> reconciler.parityOf(inode) == inode).toList();
    String leftOut = "%d of %d files could not be worked on; the history says why";
    Optional<String> notReady =
        ready.size() == wanted.size()
            ? Optional.empty()
            : Optional.of(leftOut.formatted(wanted.size() - ready.size(), wanted.size()));
    if (inodes.isEmpty()) {
      return notReady;
    }
    try {
      GroupOutcome outcome =
          groupRaider.raid(
              inodes,
              protection,
              policies.policies().minSavingPercent(),
              bytes -> {
                events.encoded(inodes.get(0), bytes);
                progress.encoded(bytes);
              });
      journal.worked("raid", outcome, by);
      return outcome.members().values().stream()
          .map(JournaledRaider::whyNot)
          .flatMap(Optional::stream)
          .findFirst()
          .or(() -> notReady);
    } catch (FileInWorkException e) {
      for (long inode : inodes) {
        journal.busy("raid", inode, e.getMessage(), by);
      }
      throw e;
    } catch (IOException | RuntimeException e) {
      journal.failed("raid", inodes.get(0), e, by);
      throw e;
    }
  }

  private static Optional<String> whyNot(RaidOutcome outcome) {
    return outcome
        .reason()
        .map(reason -> outcome.detail().isEmpty() ? reason.sentence() : outcome.detail());
  }

  /**
   * Restores a file if its parity is gone.
   *
   * @return false if that failed, and only for this file
   */
  private boolean isReady(long inode, String by) throws IOException {
    try {
      reconciler.restoreIfParityIsGone(inode, by);
      return true;
    } catch (FileInWorkException e) {
      journal.busy("raid", inode, e.getMessage(), by);
    } catch (DeposedException | UnconfirmedOwnershipException e) {
      throw e;
    } catch (IOException e) {
      if (Failures.isInterrupt(e)) {
        throw e;
      }
      journal.failed("raid", inode, e, by);
    }
    return false;
  }

  /** Raids one file. If the file is or was in a group, continues with that group first. */
  public void raid(long inode, Protection protection, String by) throws IOException {
    raid(inode, protection, by, RaidProgress.NONE);
  }

  /**
   * Works as {@link #raid(long, Protection, String)}.
   *
   * @param progress told of source bytes that were encoded
   * @return why the file was not raided; empty if it was
   */
  public Optional<String> raid(long inode, Protection protection, String by, RaidProgress progress)
      throws IOException {
    try {
      reconciler.restoreIfParityIsGone(inode, by);
      if (reconciler.parityOf(inode) != inode) {
        reconciler.reconcile(inode, by);
        if (reconciler.parityOf(inode) != inode) {
          return Optional.empty();
        }
      }
      RaidOutcome outcome =
          raider.raid(
              inode,
              protection,
              bytes -> {
                events.encoded(inode, bytes);
                progress.encoded(bytes);
              });
      journal.worked("raid", inode, outcome, by);
      return whyNot(outcome);
    } catch (FileInWorkException e) {
      journal.busy("raid", inode, e.getMessage(), by);
      throw e;
    } catch (IOException | RuntimeException e) {
      journal.failed("raid", inode, e, by);
      throw e;
    }
  }
}
