// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.blockfixer.placement;

import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.drfs.namespace.NodeState;
import io.hdfsraid.drfs.namespace.StoragePolicy;
import io.hdfsraid.drfs.namespace.StorageState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Forecasts which replica of a block the NameNode keeps when the replication is lowered to one. The
 * NameNode decides deterministically: its default placement policy repeatedly deletes the replica
 * on the volume with the least free space, first among the replicas on racks with several. So the
 * replica on the volume with the most free space stays (Hadoop 3.5, {@code
 * BlockPlacementPolicyDefault.chooseReplicaToDelete}; a replica on a node that has missed four
 * heartbeats is deleted first). The storage policy has priority: a replica on another medium is
 * excess.
 *
 * <p>The forecast can be wrong: free space changes until the replication is lowered, and a cluster
 * may use another placement policy. So volumes whose free space differs by less than {@link #DRIFT}
 * of their capacity count as equally likely, and an audit checks the result. Immutable.
 */
public final class KeptReplicaForecast {
  /** How much traffic may change the free space between the forecast and the reduction. */
  static final double DRIFT = 0.001;

  private final Map<DataNode, NodeState> nodes = new HashMap<>();

  /**
   * Creates a forecast from the present state of the nodes.
   *
   * @param nodes all live DataNodes
   */
  public KeptReplicaForecast(List<NodeState> nodes) {
    nodes.forEach(state -> this.nodes.put(state.node(), state));
  }

  /**
   * Returns for each node the probability that it keeps the block. The sum is 1. Empty if no
   * replica is on a node in service.
   *
   * @param policy the storage policy of the block's file
   */
  public Map<DataNode, Double> odds(LocatedBlock block, StoragePolicy policy) {
    List<KeptCandidate> candidates = candidates(block, policy);
    long most = candidates.stream().mapToLong(KeptCandidate::free).max().orElse(0);
    List<DataNode> likely =
        candidates.stream()
            .filter(candidate -> most - candidate.free() <= candidate.drift())
            .map(KeptCandidate::node)
            .toList();
    Map<DataNode, Double> odds = new LinkedHashMap<>();
    likely.forEach(node -> odds.put(node, 1.0 / likely.size()));
    return odds;
  }

  private record KeptCandidate(DataNode node, long free, double drift) {}

  private List<KeptCandidate> candidates(LocatedBlock block, StoragePolicy policy) {
    List<Replica> inService = block.live().stream().filter(Replica::inService).toList();
    List<Replica> wanted =
        inService.stream()
            .filter(replica -> replica.storageType().equals(policy.media().get(0)))
            .toList();
    List<KeptCandidate> candidates = new ArrayList<>();
    for (Replica replica : wanted.isEmpty() ? inService : wanted) {
      NodeState state = nodes.get(replica.node());
      candidates.add(
          state == null ? new KeptCandidate(replica.node(), 0, 0) : candidate(replica, state));
    }
    return candidates;
  }

  private static KeptCandidate candidate(Replica replica, NodeState state) {
    return state.storages().stream()
        .filter(storage -> storage.id().equals(replica.storage()))
        .findFirst()
        .map(volume -> new KeptCandidate(state.node(), volume.remaining(), drift(volume)))
        .orElseGet(
            () -> new KeptCandidate(state.node(), state.remaining(), DRIFT * state.capacity()));
  }

  private static double drift(StorageState volume) {
    return DRIFT * ((double) volume.remaining() + volume.used());
  }
}
