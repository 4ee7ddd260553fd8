// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.block;

import java.io.IOException;

/**
 * Requests to DataNodes about one replica. A request does not touch an access time, does not
 * refetch locations and never falls back to another replica. Safe for concurrent use.
 */
public interface DataNodes {

  /**
   * Opens a range of one replica. The bytes are those on disk: ciphertext in an encryption zone.
   *
   * @throws IllegalArgumentException if the range is not inside the block
   */
  BlockInput open(Block block, Replica replica, long offset, long length) throws IOException;

  /**
   * Returns the CRC32C of the first {@code block.length()} bytes, which the DataNode composes from
   * its checksum file. The answer proves which content was written and that the replica exists. It
   * does not reveal bit rot or a truncated data file.
   *
   * @throws OtherChecksumException if the DataNode has no CRC32C of the replica
   */
  int checksum(Block block, Replica replica) throws IOException;
}
