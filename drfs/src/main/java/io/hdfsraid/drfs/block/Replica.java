package io.hdfsraid.drfs.block;

import java.util.Objects;

/**
 * A copy of a block on a DataNode, as the NameNode lists it.
 *
 * @param storage HDFS's id of the volume it lies on; empty when not known
 * @param storageType HDFS's name for the medium, e.g. {@code DISK}
 * @param inService false while the node is decommissioning or entering or in maintenance
 */
public record Replica(DataNode node, String storage, String storageType, boolean inService) {
  public Replica {
    Objects.requireNonNull(node, "node");
    Objects.requireNonNull(storage, "storage");
    Objects.requireNonNull(storageType, "storageType");
  }

  /** A replica on a volume that is not known. */
  public Replica(DataNode node, String storageType, boolean inService) {
    this(node, "", storageType, inService);
  }
}
