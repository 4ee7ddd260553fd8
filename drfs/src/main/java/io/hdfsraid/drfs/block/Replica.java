package io.hdfsraid.drfs.block;

import java.util.Objects;

/**
 * A copy of a block on a DataNode, as the NameNode lists it.
 *
 * @param storageType HDFS's name for the medium, e.g. {@code DISK}
 * @param inService false while the node is decommissioning or entering or in maintenance
 */
public record Replica(DataNode node, String storageType, boolean inService) {
  public Replica {
    Objects.requireNonNull(node, "node");
    Objects.requireNonNull(storageType, "storageType");
  }
}
