// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.block;

import java.util.Objects;

/**
 * One replica of a block on a DataNode, as the NameNode lists it.
 *
 * @param storage HDFS's id of the volume that holds the replica; empty if not known
 * @param storageType HDFS's name for the medium, e.g. {@code DISK}
 * @param inService false while the node is decommissioning or entering or in maintenance
 */
public record Replica(DataNode node, String storage, String storageType, boolean inService) {
  public Replica {
    Objects.requireNonNull(node, "node");
    Objects.requireNonNull(storage, "storage");
    Objects.requireNonNull(storageType, "storageType");
  }

  /** Creates a replica whose volume is not known. */
  public Replica(DataNode node, String storageType, boolean inService) {
    this(node, "", storageType, inService);
  }
}
