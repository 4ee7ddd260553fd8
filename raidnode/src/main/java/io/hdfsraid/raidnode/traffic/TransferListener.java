// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.traffic;

import io.hdfsraid.drfs.block.Distance;

/**
 * Receives the number of bytes that were transferred. Called from many threads, once for each
 * piece.
 */
@FunctionalInterface
public interface TransferListener {

  /**
   * So many more bytes.
   *
   * @param distance between the daemon and the DataNode; for moves between the two DataNodes
   */
  void transferred(Purpose purpose, Direction direction, Distance distance, long bytes);
}
