// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.stripe;

import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.block.ReaderLocation;
import io.hdfsraid.drfs.block.Replica;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Orders replicas by distance, nearest first. Among equally near replicas, the node that was chosen
 * for the fewest bytes comes first, so that reads spread over the DataNodes. Replicas on nodes that
 * are being decommissioned or are in maintenance come last: HDFS is busy copying them and will not
 * keep any of them. Safe for concurrent use. Stores one number for each DataNode.
 */
public final class NearestReplicas implements ReplicaPreference {
  private final ReaderLocation readerLocation;

  /** Bytes each node was chosen for; guarded by this. */
  private final Map<DataNode, Long> chosen = new HashMap<>();

  public NearestReplicas(ReaderLocation readerLocation) {
    this.readerLocation = readerLocation;
  }

  @Override
  public synchronized List<Replica> order(LocatedBlock block) {
    // A new node starts at the current minimum. Otherwise it would get all reads until it has
    // caught up.
    long fewest = chosen.values().stream().mapToLong(Long::longValue).min().orElse(0);
    block.live().forEach(replica -> chosen.putIfAbsent(replica.node(), fewest));
    List<Replica> ordered =
        block.live().stream()
            .sorted(
                Comparator.comparing((Replica replica) -> !replica.inService())
                    .thenComparing(replica -> readerLocation.distanceTo(replica.node()))
                    .thenComparing(replica -> chosen.get(replica.node())))
            .toList();
    if (!ordered.isEmpty()) {
      chosen.merge(ordered.get(0).node(), block.block().length(), Long::sum);
    }
    return ordered;
  }
}
