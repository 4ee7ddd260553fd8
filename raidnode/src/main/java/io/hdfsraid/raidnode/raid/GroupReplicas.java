package io.hdfsraid.raidnode.raid;

import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.drfs.manifest.DataUnit;
import io.hdfsraid.drfs.manifest.Manifest;
import io.hdfsraid.drfs.manifest.Stripe;
import io.hdfsraid.drfs.namespace.FileState;
import io.hdfsraid.drfs.parity.GroupId;
import io.hdfsraid.drfs.parity.ParityFile;
import io.hdfsraid.policies.Reason;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The replicas of the members of groups: gives them back, and tells of what they still wait for.
 */
final class GroupReplicas {
  private final ClusterAccess cluster;
  private final YoungerParity younger;
  private final Adopters adopters;
  private final Raising raising;

  GroupReplicas(ClusterAccess cluster, YoungerParity younger) {
    this.cluster = cluster;
    this.younger = younger;
    this.adopters = new Adopters(cluster);
    this.raising = new Raising(cluster);
  }

  /**
   * Gives those of these members for which the group answers at least this replication. The parity
   * stays until all have their replicas, so what a quota refuses keeps no other from its own.
   *
   * @return why it could not be, by inode id; it is tried again, for the quota may be raised
   */
  Map<Long, LeftAlone> raise(GroupId group, Collection<FileState> files, int replication)
      throws IOException {
    List<FileState> below =
        files.stream().filter(file -> file.replication() < replication).toList();
    Set<Long> elsewhere = younger.ofAnyKind(group, below);
    Map<Long, LeftAlone> refused = new TreeMap<>();
    for (FileState file : below) {
      if (!elsewhere.contains(file.inode())) {
        raising.raise(file.inode(), replication).ifPresent(left -> refused.put(file.inode(), left));
      }
    }
    return refused;
  }

  /**
   * Gives their replication back to members that do not stay: changed, leaving, or gone with blocks
   * that something still holds.
   *
   * @return what came of each of them
   */
  Map<Long, Outcome> giveBack(GroupId group, Roll roll) throws IOException {
    ParityFile parity = roll.parity();
    int original = parity.manifest().originalReplication();
    Map<Long, Outcome> outcomes = new TreeMap<>();
    List<FileState> exposed = new ArrayList<>(roll.changed().values());
    for (long inode : parity.leaving()) {
      Optional.ofNullable(roll.intact().get(inode)).ifPresent(exposed::add);
    }
    exposed.forEach(file -> outcomes.put(file.inode(), leavingNow(group, parity)));
    outcomes.putAll(refused(raise(group, exposed, original), Stage.RETIRING, parity));
    Map<Long, BlockHolders.Holder> holders = adopters.of(orphans(roll));
    Adopters.Raised raised = adopters.raise(holders, original);
    for (long inode : roll.gone()) {
      boolean held =
          parity.manifest().blocksOf(inode).stream()
              .anyMatch(block -> holders.containsKey(block.id()));
      outcomes.put(
          inode,
          held
              ? Outcome.left(
                      Stage.ORPHANED,
                      raised
                          .refused()
                          .orElseGet(
                              () ->
                                  new LeftAlone(
                                      Reason.GONE,
                                      "The file is gone, but something still holds its blocks; the parity stays")))
                  .under(parity)
              : Outcome.at(Stage.REPLICATED, "The file was deleted and none of its blocks exists"));
    }
    return outcomes;
  }

  /**
   * Gives their replication back to files and snapshots that hold blocks of members that are gone.
   *
   * @return why one of them could not be raised
   */
  Optional<LeftAlone> raiseOrphans(Roll roll) throws IOException {
    return adopters
        .raise(adopters.of(orphans(roll)), roll.parity().manifest().originalReplication())
        .refused();
  }

  private static List<Long> orphans(Roll roll) {
    return roll.gone().stream()
        .flatMap(inode -> roll.parity().manifest().blocksOf(inode).stream())
        .map(Block::id)
        .toList();
  }

  /**
   * What keeps the parity of a group, which is being let go, from its quarantine: a member or a
   * block with too few replicas that will stay, but those that other parity protects.
   */
  Optional<String> waiting(GroupId group, Roll roll, int wanted) throws IOException {
    Map<Long, FileState> living = Roll.call(cluster.namespace(), roll.parity()).living();
    List<FileState> below =
        living.values().stream().filter(file -> file.replication() < wanted).toList();
    Set<Long> elsewhere = younger.ofOthers(group, below);
    living.keySet().removeAll(elsewhere);
    for (FileState file : living.values()) {
      if (file.underConstruction()) {
        return Optional.of("inode %d is open for writing".formatted(file.inode()));
      }
      for (LocatedBlock block : file.blocks()) {
        if (block.live().stream().filter(Replica::inService).count() < wanted) {
          return Optional.of(
              "%s of inode %d waits for its %d replicas"
                  .formatted(block.block(), file.inode(), wanted));
        }
      }
    }
    // Those of an earlier reduction that are condemned are listed until they are deleted.
    Manifest manifest = roll.parity().manifest();
    List<Block> blocks = new ArrayList<>(blocks(manifest));
    elsewhere.forEach(inode -> blocks.removeAll(manifest.blocksOf(inode)));
    return lacking(blocks, wanted);
  }

  /** A block that something still holds with fewer replicas that will stay than it should have. */
  Optional<String> lacking(List<Block> blocks, int wanted) throws IOException {
    return adopters.of(blocks.stream().map(Block::id).toList()).entrySet().stream()
        .filter(held -> held.getValue().liveReplicas() < wanted)
        .findFirst()
        .map(
            held ->
                "blk_%d of %s has %d replicas that will stay, not %d"
                    .formatted(
                        held.getKey(),
                        held.getValue().path(),
                        held.getValue().liveReplicas(),
                        wanted));
  }

  /** For members whose replication a quota keeps down, the reason. */
  static Map<Long, Outcome> refused(Map<Long, LeftAlone> refused, Stage stage, ParityFile parity) {
    Map<Long, Outcome> outcomes = new TreeMap<>();
    refused.forEach((inode, left) -> outcomes.put(inode, Outcome.left(stage, left).under(parity)));
    return outcomes;
  }

  static Outcome leavingNow(GroupId group, ParityFile parity) {
    return Outcome.at(
            Stage.RETIRING,
            "It leaves %s: its replication is raised to %d, and the others are encoded without it"
                .formatted(group, parity.manifest().originalReplication()))
        .under(parity);
  }

  static List<Block> blocks(Manifest manifest) {
    return manifest.stripes().stream()
        .map(Stripe::data)
        .flatMap(List::stream)
        .map(DataUnit::block)
        .toList();
  }
}
