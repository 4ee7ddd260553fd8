// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.block;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A stream over a range of one replica. Checksums are verified while reading. Used by one thread at
 * a time.
 */
public interface BlockInput extends Closeable {

  /**
   * Fills the buffer from its position to its limit.
   *
   * @throws CorruptReplicaException if the bytes contradict the checksums of the replica
   * @throws IOException if the node does not answer or has fewer bytes
   */
  void readFully(ByteBuffer target) throws IOException;
}
