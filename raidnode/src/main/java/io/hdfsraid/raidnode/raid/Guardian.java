package io.hdfsraid.raidnode.raid;

import io.hdfsraid.drfs.manifest.DataUnit;
import io.hdfsraid.drfs.manifest.Manifest;
import io.hdfsraid.drfs.manifest.Stripe;
import io.hdfsraid.drfs.namespace.FileState;
import io.hdfsraid.drfs.parity.ParityFile;
import io.hdfsraid.drfs.parity.ParityPhase;
import java.io.IOException;
import java.util.Optional;

/**
 * Attends to a file that has parity: takes it to its next stage, and answers what users have done
 * to it meanwhile. When in doubt it adds replication first; it never deletes on ambiguous evidence.
 *
 * <table>
 *   <caption>What may happen to a raided file</caption>
 *   <tr><td>renamed, chmod, chown</td><td>inode unchanged</td><td>nothing</td></tr>
 *   <tr><td>appended, truncated, concatenated onto</td><td>other blocks, stamps or length; or open</td>
 *       <td>replication up; parity retired when every block has its replicas</td></tr>
 *   <tr><td>source of a concat</td><td>inode gone, blocks alive in another file</td>
 *       <td>that file's replication up; parity stays</td></tr>
 *   <tr><td>deleted, overwritten</td><td>inode gone, blocks do not exist</td><td>parity to quarantine</td></tr>
 *   <tr><td>replication changed by a user</td><td>other than the target</td>
 *       <td>more: left; less: put back</td></tr>
 * </table>
 */
public final class Guardian {
  private final ClusterAccess cluster;
  private final Raider raider;
  private final Auditor auditor;
  private final Unraider unraider;
  private final UnauditedStripes unaudited;
  private final FilesInWork inWork;

  Guardian(
      ClusterAccess cluster,
      Raider raider,
      Auditor auditor,
      Unraider unraider,
      UnauditedStripes unaudited,
      FilesInWork inWork) {
    this.cluster = cluster;
    this.raider = raider;
    this.auditor = auditor;
    this.unraider = unraider;
    this.unaudited = unaudited;
    this.inWork = inWork;
  }

  /**
   * Does what can be done now for a file with parity; {@link Stage#REPLICATED} when it has none.
   */
  public Outcome attend(long inode) throws IOException {
    return inWork.alone(
        inode,
        () -> {
          Optional<ParityFile> parity = cluster.parity().find(inode);
          return parity.isEmpty()
              ? Outcome.at(Stage.REPLICATED, "It has no parity")
              : attend(inode, parity.get());
        });
  }

  private Outcome attend(long inode, ParityFile parity) throws IOException {
    Manifest manifest = parity.manifest();
    Optional<FileState> found = cluster.namespace().file(inode);
    if (found.isEmpty()) {
      return orphaned(inode, parity);
    }
    FileState source = found.get();
    if (parity.phase() == ParityPhase.RETIRING
        || source.underConstruction()
        || !SourceCheck.matches(source, manifest)) {
      return unraider.retire(inode, parity);
    }
    if (source.replication() < manifest.targetReplication()) {
      cluster.fence().pass();
      cluster.namespace().setReplication(inode, manifest.targetReplication());
    }
    if (parity.phase() == ParityPhase.COMMITTED) {
      return raider.reduceCommitted(inode, parity);
    }
    if (source.replication() > manifest.targetReplication()) {
      unaudited.audited(inode);
      return Outcome.at(
              Stage.RAIDED,
              "A user raised its replication to %d; it is left so, and its parity stays"
                  .formatted(source.replication()))
          .under(parity);
    }
    return auditor.audit(parity, source);
  }

  /**
   * The inode is gone; its blocks may live on in a snapshot or, after a concat, in another file.
   */
  private Outcome orphaned(long inode, ParityFile parity) throws IOException {
    unaudited.audited(inode);
    for (Stripe stripe : parity.manifest().stripes()) {
      for (DataUnit unit : stripe.data()) {
        Optional<BlockHolders.Holder> holder = cluster.holders().holder(unit.block().id());
        if (holder.isPresent()) {
          return keep(parity, unit, holder.get());
        }
      }
    }
    cluster.fence().pass();
    cluster.parity().quarantine(inode);
    return Outcome.at(
        Stage.REPLICATED,
        "The file was deleted and none of its blocks exists; the parity is in quarantine");
  }

  private Outcome keep(ParityFile parity, DataUnit unit, BlockHolders.Holder holder)
      throws IOException {
    int original = parity.manifest().originalReplication();
    // The path can be stale when only a snapshot holds the block: the file there must really
    // contain it.
    Optional<FileState> adopter =
        cluster
            .namespace()
            .file(holder.path())
            .filter(file -> file.contents().stream().anyMatch(b -> b.id() == unit.block().id()));
    if (adopter.isPresent() && adopter.get().replication() < original) {
      cluster.fence().pass();
      cluster.namespace().setReplication(adopter.get().inode(), original);
    }
    return Outcome.at(
            Stage.ORPHANED,
            "The file is gone, but %s still holds blk_%d; the parity stays"
                .formatted(holder.path(), unit.block().id()))
        .under(parity);
  }
}
