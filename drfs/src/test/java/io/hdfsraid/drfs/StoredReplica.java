// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs;

import java.util.BitSet;

/** A replica on the disk of one node of the {@link InMemoryCluster}. Guarded by its lock. */
final class StoredReplica {
  /** HDFS checks bytes in chunks of this many. */
  static final int CHUNK = 512;

  final byte[] content;
  final long generationStamp;
  final BitSet rottenChunks = new BitSet();
  boolean reportedCorrupt;

  StoredReplica(byte[] content, long generationStamp) {
    this.content = content;
    this.generationStamp = generationStamp;
  }

  /** The first byte of the range that cannot be read, or {@code to} when all can. */
  long readableUntil(long from, long to) {
    int rotten = rottenChunks.nextSetBit((int) (from / CHUNK));
    return rotten < 0 ? to : Math.min(to, Math.max(from, (long) rotten * CHUNK));
  }

  boolean isRotten() {
    return !rottenChunks.isEmpty();
  }
}
