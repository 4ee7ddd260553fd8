package io.hdfsraid.raidnode.raiding.file;

import io.hdfsraid.blockfixer.placement.KeptReplicaForecast;
import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.drfs.namespace.StoragePolicy;
import io.hdfsraid.drfs.stripe.ReplicaPreference;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Orders the replicas of a block that is encoded: first those that the NameNode will keep, as far
 * as can be foretold. Whatever stays has to be read once, so it is read now, also if another
 * replica is nearer.
 *
 * @param nearest orders those that are equally likely to stay
 */
record LikelyKeptFirst(ReplicaPreference nearest, KeptReplicaForecast kept, StoragePolicy policy)
    implements ReplicaPreference {
  @Override
  public List<Replica> order(LocatedBlock block) {
    Set<DataNode> likely = kept.odds(block, policy).keySet();
    List<Replica> staying =
        block.live().stream().filter(replica -> likely.contains(replica.node())).toList();
    if (staying.isEmpty()) {
      return nearest.order(block);
    }
    List<Replica> ordered =
        new ArrayList<>(nearest.order(new LocatedBlock(block.block(), staying, block.corrupt())));
    block.live().stream().filter(replica -> !staying.contains(replica)).forEach(ordered::add);
    return ordered;
  }
}
