// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.raiding.core;

import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.manifest.DataUnit;
import io.hdfsraid.drfs.manifest.Manifest;
import io.hdfsraid.drfs.namespace.LocatedFile;
import io.hdfsraid.drfs.parity.GroupId;
import io.hdfsraid.drfs.parity.ParityFile;
import io.hdfsraid.drfs.parity.ParityPhase;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Tells what keeps a parity file from being retired: recorded blocks that still exist, with too few
 * replicas, and that no other parity protects. A block counts as protected by the parity that its
 * file has now, of its own or of the group that the file is written down for, if that parity
 * records this block, as it is or as it has become since, and replication was lowered under it.
 * Parity that is being unraided and earlier generations of a group protect nothing in this sense,
 * so two parity files never wait for each other, and never rely on each other to be retired. For
 * one decision, because answers are kept. Not safe for concurrent use.
 */
public final class BlockCover {
  private final ClusterAccess cluster;
  private final Memberships memberships;
  private final ParityFile self;
  private final long selfId;

  /** What parity in service protects: its id, and its blocks by their ids. */
  private final Map<Long, Map<Long, Block>> covered = new HashMap<>();

  private final Set<Long> abandoned = new HashSet<>();

  /**
   * @param self the parity that may be retired
   * @param selfId the inode id of its file, or the id of its group
   */
  public BlockCover(ClusterAccess cluster, Memberships memberships, ParityFile self, long selfId) {
    this.cluster = cluster;
    this.memberships = memberships;
    this.self = self;
    this.selfId = selfId;
  }

  /** Counts these blocks as protected, too: those of a later generation that is audited. */
  public BlockCover with(Manifest successor) {
    covered.put(selfId, blocks(successor));
    return this;
  }

  /** Leaves out blocks that the parity need not stay for, whatever becomes of them. */
  public BlockCover without(Set<Long> blocks) {
    abandoned.addAll(blocks);
    return this;
  }

  private static Map<Long, Block> blocks(Manifest manifest) {
    Map<Long, Block> blocks = new HashMap<>();
    manifest
        .stripes()
        .forEach(
            stripe -> stripe.data().forEach(unit -> blocks.put(unit.block().id(), unit.block())));
    return blocks;
  }

  /**
   * Returns the recorded blocks that the parity has to stay for, with who holds them.
   *
   * @param wanted how many lasting replicas a block needs to do without the parity
   */
  public Map<Long, BlockHolders.Holder> lacking(int wanted) throws IOException {
    Map<Long, DataUnit> asked = new HashMap<>();
    self.manifest()
        .stripes()
        .forEach(stripe -> stripe.data().forEach(unit -> asked.put(unit.block().id(), unit)));
    asked.keySet().removeAll(abandoned);
    asked.values().removeIf(unit -> isCovered(selfId, unit.block()));
    if (asked.isEmpty()) {
      return Map.of();
    }
    Map<Long, BlockHolders.Holder> lacking = new HashMap<>();
    for (Map.Entry<Long, BlockHolders.Holder> held :
        cluster.holders().holders(asked.keySet()).entrySet()) {
      DataUnit unit = asked.get(held.getKey());
      long member = self.manifest().members().get(unit.member()).inode();
      if (held.getValue().liveReplicas() < wanted
          && !covers(member, unit.block())
          && !coversAt(held.getValue().path(), unit.block())) {
        lacking.put(held.getKey(), held.getValue());
      }
    }
    return lacking;
  }

  /** Returns whether other parity of the file with this inode id protects the block. */
  public boolean covers(long inode, Block block) throws IOException {
    if (isOther(inode) && isReducedOver(block, inode)) {
      return true;
    }
    Optional<GroupId> group = memberships.groupOf(inode);
    return group.isPresent()
        && isOther(group.get().value())
        && isReducedOver(block, group.get().value());
  }

  /** A block of a concat is in another file than the one that it was recorded for. */
  private boolean coversAt(String path, Block block) throws IOException {
    Optional<LocatedFile> file =
        cluster
            .namespace()
            .file(path)
            .filter(
                there -> there.blocks().stream().anyMatch(part -> part.block().id() == block.id()));
    return file.isPresent() && covers(file.get().inode(), block);
  }

  private boolean isOther(long id) {
    return (GroupId.isGroup(id) && GroupId.isGroup(selfId))
        ? new GroupId(id).family() != new GroupId(selfId).family()
        : id != selfId;
  }

  private boolean isReducedOver(Block block, long parityId) throws IOException {
    if (!covered.containsKey(parityId)) {
      covered.put(
          parityId,
          cluster
              .parity()
              .find(parityId)
              .filter(parity -> parity.phase() == ParityPhase.REDUCED)
              .map(parity -> blocks(parity.manifest()))
              .orElse(Map.of()));
    }
    return isCovered(parityId, block);
  }

  private boolean isCovered(long parityId, Block block) {
    Block protectedNow = covered.getOrDefault(parityId, Map.of()).get(block.id());
    return protectedNow != null && protectedNow.generationStamp() >= block.generationStamp();
  }

  /** Names one of the blocks, for a person. */
  public static Optional<String> describe(Map<Long, BlockHolders.Holder> lacking, int wanted) {
    return lacking.entrySet().stream()
        .min(Map.Entry.comparingByKey())
        .map(
            held ->
                "blk_%d of %s has %d replicas that will stay, not %d"
                    .formatted(
                        held.getKey(),
                        held.getValue().path(),
                        held.getValue().liveReplicas(),
                        wanted));
  }
}
