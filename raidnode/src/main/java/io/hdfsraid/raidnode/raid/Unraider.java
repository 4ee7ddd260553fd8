package io.hdfsraid.raidnode.raid;

import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.drfs.manifest.Manifest;
import io.hdfsraid.drfs.namespace.FileState;
import io.hdfsraid.drfs.namespace.NodeState;
import io.hdfsraid.drfs.parity.ParityFile;
import io.hdfsraid.drfs.parity.ParityPhase;
import io.hdfsraid.drfs.step.StepListener;
import java.io.IOException;
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
    int wanted = Math.min(manifest.originalReplication(), nodesInService());
    long lacking = source.blocks().stream().filter(block -> inService(block) < wanted).count();
    if (source.underConstruction() || lacking > 0) {
      return Outcome.at(
              Stage.RETIRING,
              source.underConstruction()
                  ? "Replication is raised to %d; the file is open for writing"
                      .formatted(manifest.originalReplication())
                  : "Replication is raised to %d; %d of %d blocks wait for their replicas"
                      .formatted(manifest.originalReplication(), lacking, source.blocks().size()))
          .under(parity);
    }
    steps.reached(UnraidStep.RESTORED, subject);
    cluster.fence().pass();
    cluster.parity().quarantine(inode);
    unaudited.audited(inode);
    steps.reached(UnraidStep.QUARANTINED, subject);
    return Outcome.at(
        Stage.REPLICATED,
        "Every block has %d replicas; the parity is in quarantine".formatted(wanted));
  }

  private int nodesInService() throws IOException {
    return (int) cluster.namespace().nodes().stream().filter(NodeState::inService).count();
  }

  private static long inService(LocatedBlock block) {
    return block.live().stream().filter(Replica::inService).count();
  }
}
