package io.hdfsraid.raidnode.raid;

import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.drfs.manifest.Manifest;
import io.hdfsraid.drfs.namespace.FileState;
import io.hdfsraid.drfs.parity.ParityFile;
import io.hdfsraid.drfs.parity.ParityPhase;
import io.hdfsraid.drfs.step.StepListener;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;

/**
 * Gives a file its replicas back and lets its parity go: marks the parity as retiring, raises the
 * replication, and only when every block has all its replicas moves the parity to quarantine.
 * Waiting is a state, not a wait: a call goes as far as it can now. Safe for concurrent use; one
 * file is worked on by one task.
 */
public final class Unraider {
  private final ClusterAccess cluster;
  private final UnauditedStripes unaudited;
  private final FilesInWork inWork;
  private final StepListener steps;

  Unraider(
      ClusterAccess cluster, UnauditedStripes unaudited, FilesInWork inWork, StepListener steps) {
    this.cluster = cluster;
    this.unaudited = unaudited;
    this.inWork = inWork;
    this.steps = steps;
  }

  /** Starts to let a file go, or goes on with it. */
  public Outcome unraid(long inode) throws IOException {
    return inWork.alone(
        inode,
        () -> {
          Optional<ParityFile> parity = cluster.parity().find(inode);
          return parity.isEmpty()
              ? Outcome.at(Stage.REPLICATED, "It has no parity")
              : retire(inode, parity.get());
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
    if (source.replication() < manifest.originalReplication()) {
      cluster.fence().pass();
      cluster.namespace().setReplication(inode, manifest.originalReplication());
      source = cluster.namespace().file(inode).orElse(source);
    }
    steps.reached(UnraidStep.RAISED, subject);
    int wanted = manifest.originalReplication();
    Optional<String> waiting = waiting(source, wanted);
    if (waiting.isPresent()) {
      return Outcome.at(
              Stage.RETIRING, "Replication is raised to %d; %s".formatted(wanted, waiting.get()))
          .under(parity);
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

  private Optional<String> waiting(FileState source, int wanted) throws IOException {
    if (source.underConstruction()) {
      return Optional.of("the file is open for writing");
    }
    long lacking = source.blocks().stream().filter(block -> inService(block) < wanted).count();
    if (lacking == 0) {
      // Replicas that an earlier reduction has condemned are listed until they are deleted: only
      // those that will stay
      // count.
      Map<Long, BlockHolders.Holder> holders =
          cluster.holders().holders(source.contents().stream().map(Block::id).toList());
      lacking =
          source.contents().stream()
              .filter(
                  block ->
                      Optional.ofNullable(holders.get(block.id()))
                              .map(BlockHolders.Holder::liveReplicas)
                              .orElse(0)
                          < wanted)
              .count();
    }
    return lacking == 0
        ? Optional.empty()
        : Optional.of(
            "%d of %d blocks wait for their %d replicas"
                .formatted(lacking, source.blocks().size(), wanted));
  }

  private static long inService(LocatedBlock block) {
    return block.live().stream().filter(Replica::inService).count();
  }
}
