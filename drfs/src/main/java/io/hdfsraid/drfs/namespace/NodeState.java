// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.namespace;

import io.hdfsraid.drfs.block.DataNode;
import java.util.List;
import java.util.Objects;

/**
 * A live DataNode as the NameNode reports it.
 *
 * @param inService false while decommissioning, decommissioned or in maintenance: nothing new is
 *     placed there
 * @param remaining bytes free for HDFS, all volumes together
 * @param used bytes used by HDFS, all volumes together
 * @param storages its volumes
 */
public record NodeState(
    DataNode node, boolean inService, long remaining, long used, List<StorageState> storages) {
  private static final String DISK = "DISK";

  public NodeState {
    Objects.requireNonNull(node, "node");
    storages = List.copyOf(storages);
  }

  /** Creates a node with one volume, a disk. */
  public NodeState(DataNode node, boolean inService, long remaining, long used) {
    this(
        node,
        inService,
        remaining,
        used,
        List.of(new StorageState("DS-" + node.uuid(), DISK, remaining, used)));
  }

  /**
   * Returns the bytes free on the emptiest volume of a medium, which limits the size of a block; 0
   * if the node has no such volume.
   */
  public long room(String storageType) {
    return storages.stream()
        .filter(storage -> storage.type().equals(storageType))
        .mapToLong(StorageState::remaining)
        .max()
        .orElse(0);
  }

  /** Returns the bytes of this node that belong to HDFS, used and free. */
  public long capacity() {
    return used + remaining;
  }
}
