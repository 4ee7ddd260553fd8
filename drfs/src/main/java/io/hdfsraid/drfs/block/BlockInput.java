package io.hdfsraid.drfs.block;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The bytes of a range of one replica, in order, their checksums verified on the way. Used by one
 * thread.
 */
public interface BlockInput extends Closeable {

  /**
   * Fills the buffer from its position to its limit.
   *
   * @throws ChecksumFailure when the replica is rotten
   * @throws IOException when the node does not answer or has fewer bytes
   */
  void readFully(ByteBuffer target) throws IOException;
}
