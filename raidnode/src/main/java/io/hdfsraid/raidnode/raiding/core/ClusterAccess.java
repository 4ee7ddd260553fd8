// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.raiding.core;

import io.hdfsraid.drfs.block.BadReplicaReports;
import io.hdfsraid.drfs.block.DataNodes;
import io.hdfsraid.drfs.namespace.Fence;
import io.hdfsraid.drfs.namespace.Namespace;
import io.hdfsraid.drfs.parity.ParityStore;
import java.util.Objects;

/**
 * The parts of a cluster that the pipelines use.
 *
 * @param clusterId the cluster id of the NameNode; recorded in every manifest
 * @param blockPool the block pool id; recorded in every manifest
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
