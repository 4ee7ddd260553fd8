// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.raiding.engine;

import io.hdfsraid.blockfixer.placement.KeptReplicaForecast;
import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.Distance;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.block.ReaderLocation;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.drfs.namespace.StoragePolicy;
import io.hdfsraid.drfs.stripe.ReplicaPreference;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Orders the replicas of a block that is encoded: of those that are equally near, first those that
 * the NameNode will keep, as far as can be foretold. What stays has to be read once anyway; a
 * replica that is farther, as in another rack, is left to the scrub.
 *
 * @param nearest orders those that are equally likely to stay
 */
record LikelyKeptFirst(
    ReplicaPreference nearest,
    ReaderLocation reader,
    KeptReplicaForecast kept,
    StoragePolicy policy)
    implements ReplicaPreference {
  @Override
  public List<Replica> order(LocatedBlock block) {
    Set<DataNode> likely = kept.odds(block, policy).keySet();
    Optional<Distance> least =
        block.live().stream()
            .filter(Replica::inService)
            .map(replica -> reader.distanceTo(replica.node()))
            .min(Comparator.naturalOrder());
    List<Replica> staying =
        block.live().stream()
            .filter(replica -> likely.contains(replica.node()))
            .filter(replica -> least.equals(Optional.of(reader.distanceTo(replica.node()))))
            .toList();
    if (staying.isEmpty()) {
      return nearest.order(block);
    }
    List<Replica> ordered =
        new ArrayList<>(nearest.order(new LocatedBlock(block.block(), staying, block.corrupt())));
    block.live().stream().filter(replica -> !staying.contains(replica)).forEach(ordered::add);
    return ordered;
  }
}
