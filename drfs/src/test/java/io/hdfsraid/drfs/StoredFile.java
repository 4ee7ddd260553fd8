// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** An inode of the {@link InMemoryCluster}. Guarded by its lock. */
final class StoredFile {
  final long inode;
  final long blockSize;
  final List<StoredBlock> blocks = new ArrayList<>();
  int replication;
  String path;
  Instant modified;
  Instant accessed;
  String owner = "alice";
  String group = "staff";
  int mode = 0644;
  boolean underConstruction;
  boolean striped;
  boolean encrypted;

  StoredFile(long inode, String path, long blockSize, int replication, Instant now) {
    this.inode = inode;
    this.path = path;
    this.blockSize = blockSize;
    this.replication = replication;
    this.modified = now;
    this.accessed = now;
  }

  long length() {
    return blocks.stream().mapToLong(block -> block.content.length).sum();
  }
}
