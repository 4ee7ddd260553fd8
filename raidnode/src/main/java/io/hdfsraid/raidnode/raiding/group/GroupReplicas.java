// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.raiding.group;

import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.drfs.namespace.LocatedFile;
import io.hdfsraid.drfs.parity.GroupId;
import io.hdfsraid.drfs.parity.ParityFile;
import io.hdfsraid.policies.Reason;
import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidnode.raiding.core.AwaitedReports;
import io.hdfsraid.raidnode.raiding.core.BlockCover;
import io.hdfsraid.raidnode.raiding.core.BlockHolders;
import io.hdfsraid.raidnode.raiding.core.ClusterAccess;
import io.hdfsraid.raidnode.raiding.core.ConcatTargets;
import io.hdfsraid.raidnode.raiding.core.GroupMembers;
import io.hdfsraid.raidnode.raiding.core.LeftAlone;
import io.hdfsraid.raidnode.raiding.core.RaidOutcome;
import io.hdfsraid.raidnode.raiding.core.ReplicationRestore;
import io.hdfsraid.raidnode.raiding.core.SupersedingParity;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Raises the replication of members of groups, and reports which replicas are still missing. */
final class GroupReplicas {
  private final ClusterAccess cluster;
  private final SupersedingParity superseding;
  private final ConcatTargets concatTargets;
  private final ReplicationRestore raising;
  private final AwaitedReports reports;

  GroupReplicas(ClusterAccess cluster, SupersedingParity superseding, AwaitedReports reports) {
    this.cluster = cluster;
    this.superseding = superseding;
    this.concatTargets = new ConcatTargets(cluster);
    this.raising = new ReplicationRestore(cluster);
    this.reports = reports;
  }

  /**
   * Gives those of these members for which the group answers at least this replication. The parity
   * stays until all have their replicas, so what a quota refuses keeps no other from its own.
   *
   * @return why it could not be, by inode id; it is tried again, for the quota may be raised
   */
  Map<Long, LeftAlone> raise(GroupId group, Collection<LocatedFile> files, int replication)
      throws IOException {
    List<LocatedFile> below =
        files.stream().filter(file -> file.replication() < replication).toList();
    return raise(answeredFor(group, below), replication);
  }

  /**
   * Returns the files that no other parity protects: of the others, that parity tells the state.
   */
  private List<LocatedFile> answeredFor(GroupId group, Collection<LocatedFile> files)
      throws IOException {
    Set<Long> elsewhere = superseding.ofAnyKind(group, files);
    return files.stream().filter(file -> !elsewhere.contains(file.inode())).toList();
  }

  private Map<Long, LeftAlone> raise(List<LocatedFile> files, int replication) throws IOException {
    Map<Long, LeftAlone> refused = new TreeMap<>();
    for (LocatedFile file : files) {
      if (file.replication() < replication) {
        raising.raise(file.inode(), replication).ifPresent(left -> refused.put(file.inode(), left));
      }
    }
    return refused;
  }

  /**
   * Raises the replication of members that leave: the changed, the leaving, and the deleted ones
   * whose blocks another file or a snapshot still holds.
   *
   * @return the outcome of each member
   */
  Map<Long, RaidOutcome> raise(GroupId group, GroupMembers members) throws IOException {
    ParityFile parity = members.parity();
    int original = parity.manifest().originalReplication();
    Map<Long, RaidOutcome> outcomes = new TreeMap<>();
    List<LocatedFile> leaving = new ArrayList<>(members.changed().values());
    for (long inode : parity.leaving()) {
      Optional.ofNullable(members.intact().get(inode)).ifPresent(leaving::add);
    }
    List<LocatedFile> exposed = answeredFor(group, leaving);
    exposed.forEach(file -> outcomes.put(file.inode(), leavingNow(group, parity)));
    outcomes.putAll(refused(raise(exposed, original), FileState.UNRAIDING, parity));
    Map<Long, BlockHolders.Holder> holders = concatTargets.of(orphans(members));
    ConcatTargets.Raised raised = concatTargets.raise(holders, original);
    for (long inode : members.gone()) {
      boolean held =
          parity.manifest().blocksOf(inode).stream()
              .anyMatch(block -> holders.containsKey(block.id()));
      outcomes.put(
          inode,
          held
              ? RaidOutcome.left(
                      FileState.UNRAIDING,
                      raised
                          .refused()
                          .orElseGet(
                              () ->
                                  new LeftAlone(
                                      Reason.GONE,
                                      "The file is gone, but something still holds its blocks; the"
                                          + " parity stays")))
                  .under(parity)
              : RaidOutcome.at(
                  FileState.LEFT, "The file was deleted and none of its blocks exists"));
    }
    return outcomes;
  }

  /**
   * Gives their replication back to files that hold blocks of members that are gone, as after a
   * concat. HDFS cannot raise the replication of blocks that only a snapshot holds.
   *
   * @return why one of them could not be raised
   */
  Optional<LeftAlone> raiseOrphans(GroupMembers members) throws IOException {
    return concatTargets
        .raise(
            concatTargets.of(orphans(members)), members.parity().manifest().originalReplication())
        .refused();
  }

  private static List<Long> orphans(GroupMembers members) {
    return members.gone().stream()
        .flatMap(inode -> members.parity().manifest().blocksOf(inode).stream())
        .map(Block::id)
        .toList();
  }

  /**
   * Returns what keeps the parity of a group that is being unraided from quarantine: a member or a
   * block with too few lasting replicas that no other parity protects.
   *
   * @param abandoned ids of blocks that are not waited for
   */
  Optional<String> waiting(
      GroupId group, GroupMembers members, int wanted, BlockCover cover, Set<Long> abandoned)
      throws IOException {
    Collection<LocatedFile> living =
        GroupMembers.lookUp(cluster.namespace(), members.parity()).living().values();
    for (LocatedFile file : living) {
      if (file.underConstruction()) {
        reports.none(group.value());
        return Optional.of("inode %d is open for writing".formatted(file.inode()));
      }
      for (LocatedBlock block : file.blocks()) {
        if (!abandoned.contains(block.block().id())
            && block.live().stream().filter(Replica::inService).count() < wanted
            && !cover.covers(file.inode(), block.block())) {
          reports.none(group.value());
          return Optional.of(
              "%s of inode %d waits for its %d replicas"
                  .formatted(block.block(), file.inode(), wanted));
        }
      }
    }
    // Those of an earlier reduction that are condemned are listed until they are deleted.
    return lacking(group, living, wanted, cover.without(abandoned));
  }

  /**
   * Returns which block has too few lasting replicas that no other parity protects, and notes whose
   * block reports that waits for.
   *
   * @param living the members that exist
   */
  Optional<String> lacking(
      GroupId group, Collection<LocatedFile> living, int wanted, BlockCover cover)
      throws IOException {
    Map<Long, BlockHolders.Holder> lacking = cover.lacking(wanted);
    List<LocatedBlock> blocks = living.stream().flatMap(file -> file.blocks().stream()).toList();
    if (!reports.seen(group.value(), blocks, lacking)) {
      return BlockCover.describe(lacking, wanted);
    }
    lacking.values().removeIf(holder -> holder.staleReplicas() == 0);
    return BlockCover.describe(lacking, wanted).map(why -> why + AwaitedReports.WHY);
  }

  /** For members whose replication a quota keeps down, the reason. */
  static Map<Long, RaidOutcome> refused(
      Map<Long, LeftAlone> refused, FileState stage, ParityFile parity) {
    Map<Long, RaidOutcome> outcomes = new TreeMap<>();
    refused.forEach(
        (inode, left) -> outcomes.put(inode, RaidOutcome.left(stage, left).under(parity)));
    return outcomes;
  }

  static RaidOutcome leavingNow(GroupId group, ParityFile parity) {
    return RaidOutcome.at(
            FileState.UNRAIDING,
            "It leaves %s: its replication is raised to %d, and the others are encoded without it"
                .formatted(group, parity.manifest().originalReplication()))
        .under(parity);
  }
}
