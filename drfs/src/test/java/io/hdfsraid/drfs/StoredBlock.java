// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs;

import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.DataNode;
import java.util.LinkedHashMap;
import java.util.Map;

/** A block as the NameNode of the {@link InMemoryCluster} knows it. Guarded by its lock. */
final class StoredBlock {
  final long id;
  long generationStamp;
  byte[] content;

  /** In the order in which they came. */
  final Map<DataNode, StoredReplica> replicas = new LinkedHashMap<>();

  StoredBlock(long id, long generationStamp, byte[] content) {
    this.id = id;
    this.generationStamp = generationStamp;
    this.content = content;
  }

  Block block() {
    return new Block(id, generationStamp, content.length);
  }

  boolean isGood(StoredReplica replica) {
    return replica.generationStamp == generationStamp && !replica.reportedCorrupt;
  }

  void store(DataNode node) {
    replicas.put(node, new StoredReplica(content, generationStamp));
  }
}
