package io.hdfsraid.raidnode.raiding.core;

import io.hdfsraid.blockfixer.repair.BadReplicaReports;
import io.hdfsraid.drfs.block.DataNodes;
import io.hdfsraid.drfs.namespace.Fence;
import io.hdfsraid.drfs.namespace.Namespace;
import io.hdfsraid.drfs.parity.ParityStore;
import java.util.Objects;

/**
 * The parts of a cluster that the pipelines use.
 *
 * @param clusterId as the NameNode tells it; recorded in every manifest
 * @param blockPool likewise
 */
public record ClusterAccess(
    String clusterId,
    String blockPool,
    Namespace namespace,
    DataNodes dataNodes,
    ParityStore parity,
    BlockHolders holders,
    BadReplicaReports badReplicas,
    Fence fence) {
  public ClusterAccess {
    Objects.requireNonNull(clusterId, "clusterId");
    Objects.requireNonNull(blockPool, "blockPool");
  }
}
