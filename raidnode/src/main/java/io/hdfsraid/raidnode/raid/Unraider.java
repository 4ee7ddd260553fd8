package io.hdfsraid.raidnode.raid;

import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.drfs.manifest.Manifest;
import io.hdfsraid.drfs.namespace.FileState;
import io.hdfsraid.drfs.parity.ParityFile;
import io.hdfsraid.drfs.parity.ParityPhase;
import io.hdfsraid.drfs.step.StepListener;
import io.hdfsraid.policies.Reason;
import java.io.IOException;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Gives a file its replicas back and lets its parity go: marks the parity as retiring, raises the
 * replication, and only when every block has all its replicas moves the parity to quarantine.
 * Waiting is a state, not a wait: a call goes as far as it can now. Safe for concurrent use; one
 * file is worked on by one task.
 */
public final class Unraider {
  private final ClusterAccess cluster;
  private final Raising raising;
  private final UnauditedStripes unaudited;
  private final FilesInWork inWork;
  private final StepListener steps;

  Unraider(
      ClusterAccess cluster, UnauditedStripes unaudited, FilesInWork inWork, StepListener steps) {
    this.cluster = cluster;
    this.raising = new Raising(cluster);
    this.unaudited = unaudited;
    this.inWork = inWork;
    this.steps = steps;
  }

  /**
   * Starts to let a file go, or goes on with it; {@link Outcome#WITHOUT_PARITY} when it has none.
   */
  public Outcome unraid(long inode) throws IOException {
    return inWork.alone(
        inode,
        () -> {
          Optional<ParityFile> parity = cluster.parity().find(inode);
          return parity.isEmpty() ? Outcome.WITHOUT_PARITY : retire(inode, parity.get());
        });
  }

  /** The caller holds the claim on the file. */
  Outcome retire(long inode, ParityFile parity) throws IOException {
    String subject = "inode " + inode;
    Manifest manifest = parity.manifest();
    if (parity.phase() != ParityPhase.RETIRING) {
      cluster.fence().pass();
      cluster.parity().mark(inode, ParityPhase.RETIRING);
      steps.reached(UnraidStep.MARKED, subject);
    }
    Optional<FileState> found = cluster.namespace().file(inode);
    if (found.isEmpty()) {
      return Outcome.at(Stage.ORPHANED, "The file is gone; the parity stays while its blocks live")
          .under(parity);
    }
    FileState source = found.get();
    int wanted = manifest.originalReplication();
    if (source.replication() < wanted) {
      Optional<LeftAlone> refused = raising.raise(inode, wanted);
      if (refused.isPresent()) {
        return Outcome.left(Stage.RETIRING, refused.get()).under(parity);
      }
      source = cluster.namespace().file(inode).orElse(source);
    }
    steps.reached(UnraidStep.RAISED, subject);
    try {
      Optional<String> waiting = waiting(source, manifest);
      if (waiting.isPresent()) {
        return Outcome.at(
                Stage.RETIRING, "Replication is raised to %d; %s".formatted(wanted, waiting.get()))
            .under(parity);
      }
    } catch (LeftAlone left) {
      return Outcome.left(Stage.RETIRING, left).under(parity);
    }
    steps.reached(UnraidStep.RESTORED, subject);
    cluster.fence().pass();
    cluster.parity().quarantine(parity);
    unaudited.audited(inode);
    steps.reached(UnraidStep.QUARANTINED, subject);
    return Outcome.at(
        Stage.REPLICATED,
        "Every block has %d replicas; the parity is in quarantine".formatted(wanted));
  }

  /**
   * What the replicas are waited for with, in words; empty when each block of the file has its own,
   * and each recorded block that something else still holds has them, too.
   *
   * @throws LeftAlone when it takes a user to end it
   */
  private Optional<String> waiting(FileState source, Manifest manifest)
      throws IOException, LeftAlone {
    if (source.underConstruction()) {
      throw new LeftAlone(
          Reason.UNDER_CONSTRUCTION,
          "Its replication is raised, but it is open for writing: its parity stays until it is closed");
    }
    int wanted = manifest.originalReplication();
    long lacking = source.blocks().stream().filter(block -> inService(block) < wanted).count();
    if (lacking == 0) {
      // Replicas that an earlier reduction has condemned are listed until they are deleted: only
      // those that will stay count.
      Set<Long> own = source.contents().stream().map(Block::id).collect(Collectors.toSet());
      Set<Long> asked = recorded(manifest);
      asked.addAll(own);
      Map<Long, BlockHolders.Holder> holders = cluster.holders().holders(asked);
      lacking =
          own.stream()
              .filter(
                  id ->
                      Optional.ofNullable(holders.get(id))
                              .map(BlockHolders.Holder::liveReplicas)
                              .orElse(0)
                          < wanted)
              .count();
      if (lacking == 0) {
        requireNothingElseHeld(own, holders, wanted);
      }
    }
    return lacking == 0
        ? Optional.empty()
        : Optional.of(
            "%d of %d blocks wait for their %d replicas"
                .formatted(lacking, source.blocks().size(), wanted));
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
