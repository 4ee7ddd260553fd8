// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.namespace;

import io.hdfsraid.policies.FileFacts.Trait;
import java.util.Set;

/**
 * The attributes of a file at the NameNode, without its name and place.
 *
 * @param length in bytes; of an open file, what it had when its last block was begun
 * @param blockSize of a full block, in bytes
 * @param replication 0 for a striped file
 * @param modified milliseconds since 1970
 * @param accessed milliseconds since 1970; 0 where access times are not recorded
 * @param storagePolicy the number HDFS gives it; 0 where none is set on the file itself
 */
public record FileAttributes(
    long length,
    long blockSize,
    int blocks,
    int replication,
    long modified,
    long accessed,
    String owner,
    String group,
    int storagePolicy,
    Set<Trait> traits) {
  public FileAttributes {
    if (length < 0 || blockSize < 0 || blocks < 0 || replication < 0) {
      throw new IllegalArgumentException(
          "No file has length=%d, blockSize=%d, blocks=%d, replication=%d"
              .formatted(length, blockSize, blocks, replication));
    }
    traits = traits.isEmpty() ? Set.of() : Set.copyOf(traits);
  }

  /** Returns the time of the last read or write, in milliseconds since 1970. */
  public long lastUsed() {
    return Math.max(modified, accessed);
  }
}
