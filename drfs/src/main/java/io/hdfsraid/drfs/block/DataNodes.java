package io.hdfsraid.drfs.block;

import java.io.IOException;

/**
 * What a DataNode answers about one replica, asked directly: no access time is touched, no
 * locations are refetched, and no other replica is silently read instead. Safe for concurrent use.
 */
public interface DataNodes {

  /**
   * Opens a range of one replica. Data comes as it lies on disk: ciphertext in an encryption zone.
   *
   * @throws IllegalArgumentException when the range is not inside the block
   */
  BlockInput open(Block block, Replica replica, long offset, long length) throws IOException;

  /**
   * CRC32C of the first {@code block.length()} bytes, composed by the DataNode from its checksum
   * file. Proves which content was written and that the replica is there; blind to rot and to a cut
   * data file.
   */
  int checksum(Block block, Replica replica) throws IOException;
}
