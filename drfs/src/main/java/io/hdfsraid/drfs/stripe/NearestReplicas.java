package io.hdfsraid.drfs.stripe;

import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.drfs.block.Vantage;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The nearest replica first; among equally near ones that of the node which has been chosen for the
 * fewest bytes, so that reads spread over the DataNodes. Replicas on nodes that are leaving come
 * last: they are busy being copied, and none of them is the one that HDFS will keep. Safe for
 * concurrent use; remembers one number for each DataNode.
 */
public final class NearestReplicas implements ReplicaPreference {
  private final Vantage vantage;

  /** Bytes each node was chosen for; guarded by this. */
  private final Map<DataNode, Long> chosen = new HashMap<>();

  public NearestReplicas(Vantage vantage) {
    this.vantage = vantage;
  }

  @Override
  public synchronized List<Replica> order(LocatedBlock block) {
    // A node that is new begins where the others are, lest it gets all reads until it is level.
    long fewest = chosen.values().stream().mapToLong(Long::longValue).min().orElse(0);
    block.live().forEach(replica -> chosen.putIfAbsent(replica.node(), fewest));
    List<Replica> ordered =
        block.live().stream()
            .sorted(
                Comparator.comparing((Replica replica) -> !replica.inService())
                    .thenComparing(replica -> vantage.to(replica.node()))
                    .thenComparing(replica -> chosen.get(replica.node())))
            .toList();
    if (!ordered.isEmpty()) {
      chosen.merge(ordered.get(0).node(), block.block().length(), Long::sum);
    }
    return ordered;
  }
}
