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
 * Foretells which replica of a block the NameNode keeps when the replication is lowered to one. It
 * alone decides, but not by chance: its default placement policy deletes, again and again, the
 * replica on the volume with least free space, of those on a rack with several first; so the one on
 * the volume with most free space stays (Hadoop 3.5, {@code
 * BlockPlacementPolicyDefault.chooseReplicaToDelete}; the replica of a node that has missed four
 * heartbeats goes before all others). The storage policy comes first: what lies on another medium
 * than it wants is excess.
 *
 * <p>It is a forecast: free space changes until the replication is lowered, and a cluster may have
 * another policy. So volumes whose free space differs by less than {@link #DRIFT} of their capacity
 * are held to be equally likely, and what came of it is looked at afterwards. Immutable.
 */
public final class KeptReplicas {
  /** What traffic may change between a look at the nodes and the reduction. */
  static final double DRIFT = 0.001;

  private final Map<DataNode, NodeState> nodes = new HashMap<>();

  /**
   * A forecast for the nodes as they are now.
   *
   * @param nodes all live DataNodes
   */
  public KeptReplicas(List<NodeState> nodes) {
    nodes.forEach(state -> this.nodes.put(state.node(), state));
  }

  /**
   * How likely it is for each node to keep the block; adds up to 1. Empty when no replica is on a
   * node in service.
   *
   * @param policy of the block's file
   */
  public Map<DataNode, Double> odds(LocatedBlock block, StoragePolicy policy) {
    List<Candidate> candidates = candidates(block, policy);
    long most = candidates.stream().mapToLong(Candidate::free).max().orElse(0);
    List<DataNode> likely =
        candidates.stream()
            .filter(candidate -> most - candidate.free() <= candidate.drift())
            .map(Candidate::node)
            .toList();
    Map<DataNode, Double> odds = new LinkedHashMap<>();
    likely.forEach(node -> odds.put(node, 1.0 / likely.size()));
    return odds;
  }

  private record Candidate(DataNode node, long free, double drift) {}

  private List<Candidate> candidates(LocatedBlock block, StoragePolicy policy) {
    List<Replica> inService = block.live().stream().filter(Replica::inService).toList();
    List<Replica> wanted =
        inService.stream()
            .filter(replica -> replica.storageType().equals(policy.media().get(0)))
            .toList();
    List<Candidate> candidates = new ArrayList<>();
    for (Replica replica : wanted.isEmpty() ? inService : wanted) {
      NodeState state = nodes.get(replica.node());
      candidates.add(
          state == null ? new Candidate(replica.node(), 0, 0) : candidate(replica, state));
    }
    return candidates;
  }

  private static Candidate candidate(Replica replica, NodeState state) {
    return state.storages().stream()
        .filter(storage -> storage.id().equals(replica.storage()))
        .findFirst()
        .map(volume -> new Candidate(state.node(), volume.remaining(), drift(volume)))
        .orElseGet(() -> new Candidate(state.node(), state.remaining(), DRIFT * state.capacity()));
  }

  private static double drift(StorageState volume) {
    return DRIFT * ((double) volume.remaining() + volume.used());
  }
}
