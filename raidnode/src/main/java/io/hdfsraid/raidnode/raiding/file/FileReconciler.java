// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.raiding.file;

import io.hdfsraid.drfs.manifest.Manifest;
import io.hdfsraid.drfs.namespace.LocatedFile;
import io.hdfsraid.drfs.parity.GroupId;
import io.hdfsraid.drfs.parity.ParityFile;
import io.hdfsraid.drfs.parity.ParityPhase;
import io.hdfsraid.policies.Reason;
import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidnode.raiding.core.BlockCover;
import io.hdfsraid.raidnode.raiding.core.BlockHolders;
import io.hdfsraid.raidnode.raiding.core.ClusterAccess;
import io.hdfsraid.raidnode.raiding.core.ConcatTargets;
import io.hdfsraid.raidnode.raiding.core.FileInWorkException;
import io.hdfsraid.raidnode.raiding.core.FilesInWork;
import io.hdfsraid.raidnode.raiding.core.LeftAlone;
import io.hdfsraid.raidnode.raiding.core.Memberships;
import io.hdfsraid.raidnode.raiding.core.RaidOutcome;
import io.hdfsraid.raidnode.raiding.core.ReplicationRestore;
import io.hdfsraid.raidnode.raiding.core.SourceCheck;
import io.hdfsraid.raidnode.raiding.core.UnauditedStripes;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;

/**
 * Reconciles a file that has parity: takes it to its next stage, and reacts to what users have done
 * to it meanwhile. In doubt, the reconciler raises replication first. It never deletes anything on
 * ambiguous evidence.
 *
 * <table>
 *   <caption>What may happen to a raided file</caption>
 *   <tr><td>renamed, chmod, chown</td><td>inode unchanged</td><td>nothing</td></tr>
 *   <tr><td>appended, truncated, concatenated onto</td><td>other blocks, stamps or length; or open</td>
 *       <td>replication up; parity retired when every block has its replicas</td></tr>
 *   <tr><td>source of a concat</td><td>inode gone; blocks in another file lack replicas</td>
 *       <td>that file's replication up; parity stays</td></tr>
 *   <tr><td>deleted, overwritten</td><td>inode gone; each block does not exist or has all
 *       its replicas</td><td>parity to quarantine</td></tr>
 *   <tr><td>replication changed by a user</td><td>other than the target</td>
 *       <td>more: left; less: put back</td></tr>
 * </table>
 */
public final class FileReconciler {
  private final ClusterAccess cluster;
  private final ReplicationRestore raising;
  private final Raider raider;
  private final Auditor auditor;
  private final Unraider unraider;
  private final Memberships memberships;
  private final UnauditedStripes unaudited;
  private final FilesInWork inWork;

  public FileReconciler(
      ClusterAccess cluster,
      Raider raider,
      Auditor auditor,
      Unraider unraider,
      Memberships memberships,
      UnauditedStripes unaudited,
      FilesInWork inWork) {
    this.cluster = cluster;
    this.raising = new ReplicationRestore(cluster);
    this.raider = raider;
    this.auditor = auditor;
    this.unraider = unraider;
    this.memberships = memberships;
    this.unaudited = unaudited;
    this.inWork = inWork;
  }

  /**
   * Does what can be done now for a file with parity; {@link RaidOutcome#WITHOUT_PARITY} when it
   * has none.
   */
  public RaidOutcome reconcile(long inode) throws IOException {
    return inWork.alone(
        inode,
        () -> {
          Optional<ParityFile> parity = cluster.parity().find(inode);
          return parity.isEmpty() ? RaidOutcome.WITHOUT_PARITY : reconcile(inode, parity.get());
        });
  }

  /**
   * Does what is urgent for a file with parity: gives it its replicas back if its parity does not
   * protect it as it is, and no more. It neither reduces nor audits the file, so it waits for no
   * proof and no move. The replicas do not wait for the task that works on the file, either.
   *
   * @return empty if nothing is urgent
   * @throws FileInWorkException when that task must end before the parity can be retired
   */
  public Optional<RaidOutcome> protect(long inode) throws IOException {
    Optional<ParityFile> parity = cluster.parity().find(inode);
    Optional<LocatedFile> source = cluster.namespace().file(inode);
    if (parity.isPresent() && source.isPresent()) {
      if (isIntact(source.get(), parity.get())) {
        return atTarget(source.get(), parity.get());
      }
      Optional<LeftAlone> unused =
          raising.raise(inode, parity.get().manifest().originalReplication());
    }
    return inWork.alone(inode, () -> retire(inode));
  }

  /** Looks again, for the caller has not held the claim. */
  private Optional<RaidOutcome> retire(long inode) throws IOException {
    Optional<ParityFile> parity = cluster.parity().find(inode);
    if (parity.isEmpty()) {
      return Optional.of(RaidOutcome.WITHOUT_PARITY);
    }
    Optional<LocatedFile> source = cluster.namespace().file(inode);
    if (source.isEmpty()) {
      return Optional.of(orphaned(inode, parity.get()));
    }
    return isIntact(source.get(), parity.get())
        ? Optional.empty()
        : Optional.of(unraider.retire(inode, parity.get()));
  }

  /** Whether the parity protects the file, and is to stay. */
  private static boolean isIntact(LocatedFile source, ParityFile parity) {
    return parity.phase() != ParityPhase.UNRAIDING
        && !source.underConstruction()
        && SourceCheck.matches(source, parity.manifest());
  }

  /** Puts the replication of an intact file back if a user has lowered it below the target. */
  private Optional<RaidOutcome> atTarget(LocatedFile source, ParityFile parity) throws IOException {
    int target = parity.manifest().targetReplication();
    if (source.replication() < target) {
      Optional<LeftAlone> refused = raising.raise(source.inode(), target);
      return Optional.of(
          refused
              .map(left -> RaidOutcome.left(FileState.REDUCED, left))
              .orElseGet(
                  () ->
                      RaidOutcome.at(
                          FileState.REDUCED,
                          "A user lowered its replication to %d; it is %d again and is audited"
                              .formatted(source.replication(), target)))
              .under(parity));
    }
    return source.replication() > target && parity.phase() == ParityPhase.REDUCED
        ? Optional.of(raisedByUser(source, parity))
        : Optional.empty();
  }

  /**
   * Takes up a file again whose replication was raised because its parity was gone, and whose
   * parity is back: as after a commit, everything is proven before the replication is lowered.
   */
  public void takeBack(long inode) throws IOException {
    boolean unused =
        inWork.alone(
            inode,
            () -> {
              Optional<ParityFile> back =
                  cluster
                      .parity()
                      .find(inode)
                      .filter(parity -> parity.phase() == ParityPhase.REDUCED);
              if (back.isPresent()) {
                cluster.fence().pass();
                cluster.parity().mark(inode, ParityPhase.COMMITTED);
              }
              return back.isPresent();
            });
  }

  private RaidOutcome reconcile(long inode, ParityFile parity) throws IOException {
    Manifest manifest = parity.manifest();
    Optional<LocatedFile> found = cluster.namespace().file(inode);
    if (found.isEmpty()) {
      return orphaned(inode, parity);
    }
    LocatedFile source = found.get();
    if (!isIntact(source, parity)) {
      return unraider.retire(inode, parity);
    }
    if (source.replication() < manifest.targetReplication()) {
      Optional<LeftAlone> refused = raising.raise(inode, manifest.targetReplication());
      if (refused.isPresent()) {
        return RaidOutcome.left(FileState.REDUCED, refused.get()).under(parity);
      }
    }
    if (parity.phase() == ParityPhase.COMMITTED) {
      return raider.reduceCommitted(inode, parity);
    }
    return source.replication() > manifest.targetReplication()
        ? raisedByUser(source, parity)
        : auditor.audit(parity, source);
  }

  private RaidOutcome raisedByUser(LocatedFile source, ParityFile parity) {
    unaudited.audited(source.inode());
    return RaidOutcome.at(
            FileState.RAIDED,
            "Its replication was raised to %d, by a user or by a daemon that was replaced; it is left so, and its parity stays"
                .formatted(source.replication()))
        .under(parity);
  }

  /**
   * The inode is gone; its blocks may live on in a snapshot or, after a concat, in another file.
   */
  private RaidOutcome orphaned(long inode, ParityFile parity) throws IOException {
    unaudited.audited(inode);
    int original = parity.manifest().originalReplication();
    Map<Long, BlockHolders.Holder> lacking =
        new BlockCover(cluster, memberships, parity, inode).lacking(original);
    if (!lacking.isEmpty()) {
      return keep(parity, lacking);
    }
    cluster.fence().pass();
    cluster.parity().retire(parity);
    return RaidOutcome.at(
            FileState.LEFT,
            "The file is gone, and each of its blocks that still exists has %d replicas or other parity; the parity is in quarantine"
                .formatted(original))
        .under(parity);
  }

  private RaidOutcome keep(ParityFile parity, Map<Long, BlockHolders.Holder> holders)
      throws IOException {
    int original = parity.manifest().originalReplication();
    ConcatTargets.Raised raised = new ConcatTargets(cluster).raise(holders, original);
    if (raised.refused().isPresent()) {
      return RaidOutcome.left(FileState.UNRAIDING, raised.refused().get()).under(parity);
    }
    return RaidOutcome.left(
            FileState.UNRAIDING,
            new LeftAlone(
                Reason.GONE,
                "The file is gone, but %s still holds %d of its blocks; the parity stays"
                    .formatted(String.join(", ", raised.paths()), holders.size())))
        .under(parity);
  }

  /** Whether there is committed parity with this id, of a file or of a group. */
  public boolean hasParity(long id) throws IOException {
    return cluster.parity().find(id).isPresent();
  }

  /**
   * Raises the replication of a file that is believed to be under parity which is gone or cannot be
   * read: protection that is doubtful is first added.
   *
   * @param originalReplication what it had before it was raided
   * @param why for a person
   */
  public RaidOutcome unprotected(long inode, int originalReplication, String why)
      throws IOException {
    return inWork.alone(
        inode,
        () -> {
          unaudited.audited(memberships.groupOf(inode).map(GroupId::value).orElse(inode));
          Optional<LocatedFile> file = cluster.namespace().file(inode);
          if (file.isPresent() && file.get().replication() < originalReplication) {
            Optional<LeftAlone> refused = raising.raise(inode, originalReplication);
            if (refused.isPresent()) {
              throw new IOException(why + ". " + refused.get().getMessage());
            }
          }
          return RaidOutcome.left(FileState.LEFT, new LeftAlone(Reason.PARITY_GONE, why));
        });
  }
}
