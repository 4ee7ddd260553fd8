// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.raiding.file;

import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.drfs.manifest.Manifest;
import io.hdfsraid.drfs.namespace.LocatedFile;
import io.hdfsraid.drfs.parity.ParityFile;
import io.hdfsraid.drfs.parity.ParityPhase;
import io.hdfsraid.drfs.step.StepListener;
import io.hdfsraid.policies.Reason;
import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidnode.raiding.core.AwaitedReports;
import io.hdfsraid.raidnode.raiding.core.BlockHolders;
import io.hdfsraid.raidnode.raiding.core.ClusterAccess;
import io.hdfsraid.raidnode.raiding.core.FilesInWork;
import io.hdfsraid.raidnode.raiding.core.LeftAlone;
import io.hdfsraid.raidnode.raiding.core.LostForGood;
import io.hdfsraid.raidnode.raiding.core.RaidOutcome;
import io.hdfsraid.raidnode.raiding.core.ReplicationRestore;
import io.hdfsraid.raidnode.raiding.core.UnauditedStripes;
import io.hdfsraid.raidnode.raiding.core.UnraidStep;
import io.hdfsraid.raidnode.raiding.core.WorkInProgress;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Gives a file its replicas back and retires its parity. The unraider marks the parity as retiring
 * and raises the replication. It moves the parity to quarantine only when every block has all its
 * replicas. A call does what is possible now and does not wait. Safe for concurrent use; one task
 * at a time works on a file.
 */
public final class Unraider {
  private final ClusterAccess cluster;
  private final ReplicationRestore raising;
  private final LostForGood lost;
  private final UnauditedStripes unaudited;
  private final AwaitedReports reports;
  private final FilesInWork inWork;
  private final StepListener steps;

  public Unraider(ClusterAccess cluster, LostForGood lost, WorkInProgress work) {
    this.cluster = cluster;
    this.lost = lost;
    this.raising = new ReplicationRestore(cluster);
    this.unaudited = work.unaudited();
    this.reports = work.reports();
    this.inWork = work.files();
    this.steps = work.steps();
  }

  /**
   * Starts to unraid a file, or continues. Returns {@link RaidOutcome#WITHOUT_PARITY} if the file
   * has no parity.
   */
  public RaidOutcome unraid(long inode) throws IOException {
    return inWork.alone(
        inode,
        () -> {
          Optional<ParityFile> parity = cluster.parity().find(inode);
          return parity.isEmpty() ? RaidOutcome.WITHOUT_PARITY : retire(inode, parity.get());
        });
  }

  /** The caller holds the claim on the file. */
  RaidOutcome retire(long inode, ParityFile parity) throws IOException {
    String subject = "inode " + inode;
    Manifest manifest = parity.manifest();
    if (parity.phase() != ParityPhase.UNRAIDING) {
      cluster.fence().pass();
      cluster.parity().mark(inode, ParityPhase.UNRAIDING);
      steps.reached(UnraidStep.MARKED, subject);
    }
    // No audit follows, and whoever keeps the parity from quarantine may do so for weeks.
    unaudited.audited(inode);
    Optional<LocatedFile> found = cluster.namespace().file(inode);
    if (found.isEmpty()) {
      reports.none(inode);
      return RaidOutcome.at(
              FileState.UNRAIDING, "The file is gone; the parity stays while its blocks live")
          .under(parity);
    }
    LocatedFile source = found.get();
    int wanted = manifest.originalReplication();
    if (source.replication() < wanted) {
      Optional<LeftAlone> refused = raising.raise(inode, wanted);
      if (refused.isPresent()) {
        reports.none(inode);
        return RaidOutcome.left(FileState.UNRAIDING, refused.get()).under(parity);
      }
      source = cluster.namespace().file(inode).orElse(source);
    }
    steps.reached(UnraidStep.RAISED, subject);
    Set<Long> abandoned = lost.abandoned(parity);
    try {
      Optional<String> waiting = waiting(source, manifest, abandoned);
      if (waiting.isPresent()) {
        return RaidOutcome.at(
                FileState.UNRAIDING,
                "Replication is raised to %d; %s".formatted(wanted, waiting.get()))
            .under(parity);
      }
    } catch (LeftAlone left) {
      return RaidOutcome.left(FileState.UNRAIDING, left).under(parity);
    }
    steps.reached(UnraidStep.RESTORED, subject);
    cluster.fence().pass();
    cluster.parity().retire(parity);
    steps.reached(UnraidStep.QUARANTINED, subject);
    return RaidOutcome.at(
            FileState.LEFT,
            abandoned.isEmpty()
                ? "Every block has %d replicas; the parity is in quarantine".formatted(wanted)
                : "%d blocks are lost for good, and every other block has %d replicas; the parity is in quarantine"
                    .formatted(abandoned.size(), wanted))
        .under(parity);
  }

  /**
   * What the replicas are waited for with, in words; empty when each block of the file has its own,
   * and each recorded block that something else still holds has them, too.
   *
   * @param abandoned ids of blocks that are not waited for
   * @throws LeftAlone when it takes a user to end it
   */
  private Optional<String> waiting(LocatedFile source, Manifest manifest, Set<Long> abandoned)
      throws IOException, LeftAlone {
    if (source.underConstruction()) {
      reports.none(source.inode());
      throw new LeftAlone(
          Reason.UNDER_CONSTRUCTION,
          "Its replication is raised, but it is open for writing: its parity stays until it is"
              + " closed");
    }
    int wanted = manifest.originalReplication();
    boolean awaitReports = false;
    long lacking =
        source.blocks().stream()
            .filter(block -> !abandoned.contains(block.block().id()))
            .filter(block -> inService(block) < wanted)
            .count();
    if (lacking == 0) {
      // Replicas that an earlier reduction has condemned are listed until they are deleted: only
      // those that will stay count.
      Set<Long> own = source.contents().stream().map(Block::id).collect(Collectors.toSet());
      Set<Long> asked = recorded(manifest);
      asked.addAll(own);
      Map<Long, BlockHolders.Holder> holders = cluster.holders().holders(asked);
      Set<Long> condemned =
          own.stream()
              .filter(id -> !abandoned.contains(id))
              .filter(
                  id ->
                      Optional.ofNullable(holders.get(id))
                              .map(BlockHolders.Holder::liveReplicas)
                              .orElse(0)
                          < wanted)
              .collect(Collectors.toSet());
      lacking = condemned.size();
      Map<Long, BlockHolders.Holder> waiting = new HashMap<>(holders);
      waiting.keySet().retainAll(condemned);
      awaitReports = reports.seen(source.inode(), source.blocks(), waiting);
      if (lacking == 0) {
        requireNothingElseHeld(own, holders, wanted);
      }
    } else {
      reports.none(source.inode());
    }
    return lacking == 0
        ? Optional.empty()
        : Optional.of(
            "%d of %d blocks wait for their %d replicas%s"
                .formatted(
                    lacking,
                    source.blocks().size(),
                    wanted,
                    awaitReports ? AwaitedReports.WHY : ""));
  }

  /**
   * A block that was truncated away under a snapshot keeps the replication it had, whatever the
   * file gets: for readers of the snapshot its parity is all there is when it is lost.
   */
  private static void requireNothingElseHeld(
      Set<Long> own, Map<Long, BlockHolders.Holder> holders, int wanted) throws LeftAlone {
    for (Map.Entry<Long, BlockHolders.Holder> held : holders.entrySet()) {
      if (!own.contains(held.getKey()) && held.getValue().liveReplicas() < wanted) {
        throw new LeftAlone(
            Reason.HELD_BY_SNAPSHOT,
            "Its own blocks have their %d replicas, but blk_%d is held by a snapshot of %s and has %d: its parity stays until the snapshot is deleted"
                .formatted(
                    wanted, held.getKey(), held.getValue().path(), held.getValue().liveReplicas()));
      }
    }
  }

  private static Set<Long> recorded(Manifest manifest) {
    return manifest.stripes().stream()
        .flatMap(stripe -> stripe.data().stream())
        .map(unit -> unit.block().id())
        .collect(Collectors.toCollection(HashSet::new));
  }

  private static long inService(LocatedBlock block) {
    return block.live().stream().filter(Replica::inService).count();
  }
}
