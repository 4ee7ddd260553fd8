// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.simulation;

import io.hdfsraid.drfs.InMemoryCluster;
import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.manifest.DataUnit;
import io.hdfsraid.drfs.manifest.Manifest;
import io.hdfsraid.drfs.manifest.Member;
import io.hdfsraid.drfs.manifest.Stripe;
import io.hdfsraid.drfs.namespace.LocatedFile;
import io.hdfsraid.drfs.parity.ParityFile;
import io.hdfsraid.erasurecode.UnitSet;
import io.hdfsraid.erasurecode.codes.Codecs;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * How every stripe stands by the disks of the nodes: past the NameNode, past what the product
 * believes, judged by arithmetic of its own.
 */
final class Truth {
  private final InMemoryCluster cluster;
  private final Set<DataNode> silent;
  private final Map<String, Rank> ranks = new HashMap<>();

  Truth(InMemoryCluster cluster, Set<DataNode> silent) {
    this.cluster = cluster;
    this.silent = silent;
  }

  /**
   * One stripe now.
   *
   * @param reachable units with the recorded bytes on a node that answers; absent ones count
   * @param onDisk the same on any node, also one that is away
   * @param changed units that are not part of their file any more
   */
  record Stand(
      long parityId,
      long parityInode,
      int index,
      int units,
      Rank rank,
      UnitSet reachable,
      UnitSet onDisk,
      UnitSet changed,
      Map<Integer, Block> blocks) {

    UnitSet lostNow() {
      return UnitSet.range(0, units).minus(reachable).minus(changed);
    }

    /** Whether every unit that cannot be read now follows from what can be. */
    boolean recoverableNow() {
      return rank.determinedBy(reachable).containsAll(lostNow());
    }

    /** Units that are gone for good, whoever comes back. */
    UnitSet goneForGood() {
      return UnitSet.range(0, units).minus(changed).minus(rank.determinedBy(onDisk));
    }

    @Override
    public String toString() {
      return "stripe %d of parity inode %d: readable %s, on disks %s of %d units"
          .formatted(index, parityInode, reachable, onDisk, units);
    }
  }

  List<Stand> all() throws IOException {
    List<Long> ids = new ArrayList<>();
    cluster.forEach(ids::add);
    List<Stand> stands = new ArrayList<>();
    for (long id : ids) {
      stands.addAll(of(id, cluster.find(id).orElseThrow()));
    }
    return stands;
  }

  private List<Stand> of(long id, ParityFile parity) {
    Manifest manifest = parity.manifest();
    Rank rank = ranks.computeIfAbsent(manifest.codec(), Rank::new);
    int k = Codecs.parse(manifest.codec()).shape().dataUnits();
    int m = Codecs.parse(manifest.codec()).shape().parityUnits();
    List<Block> parityBlocks = parity.file().contents();
    List<List<Block>> members = new ArrayList<>();
    for (Member member : manifest.members()) {
      members.add(cluster.file(member.inode()).map(LocatedFile::contents).orElse(List.of()));
    }
    List<Stand> stands = new ArrayList<>();
    for (int index = 0; index < manifest.stripes().size(); index++) {
      Stripe stripe = manifest.stripes().get(index);
      UnitSet absent = UnitSet.range(stripe.data().size(), k);
      UnitSet changed = UnitSet.none();
      Map<Integer, Block> blocks = new HashMap<>();
      for (int unit = 0; unit < stripe.data().size(); unit++) {
        DataUnit data = stripe.data().get(unit);
        if (members.get(data.member()).contains(data.block())) {
          blocks.put(unit, data.block());
        } else {
          changed = changed.with(unit);
        }
      }
      for (int p = 0; p < m; p++) {
        blocks.put(k + p, parityBlocks.get(index * m + p));
      }
      stands.add(
          new Stand(
              id,
              parity.file().inode(),
              index,
              k + m,
              rank,
              absent.plus(soundWhere(blocks, this::answers)),
              absent.plus(soundWhere(blocks, node -> true)),
              changed,
              blocks));
    }
    return stands;
  }

  boolean answers(DataNode node) {
    return cluster.isUp(node) && !silent.contains(node);
  }

  private UnitSet soundWhere(Map<Integer, Block> blocks, Predicate<DataNode> where) {
    return UnitSet.of(
        blocks.entrySet().stream()
            .filter(
                unit ->
                    cluster.holders(unit.getValue().id()).stream()
                        .anyMatch(node -> where.test(node) && holds(unit.getValue(), node)))
            .mapToInt(Map.Entry::getKey));
  }

  private boolean holds(Block block, DataNode node) {
    return cluster.isSound(block.id(), node);
  }
}
