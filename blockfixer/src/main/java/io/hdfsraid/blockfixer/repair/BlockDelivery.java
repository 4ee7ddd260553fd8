// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.blockfixer.repair;

import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.DataNode;
import java.io.IOException;

/** Writes the bytes of a block to a DataNode, under the same block id and generation stamp. */
public interface BlockDelivery {

  /**
   * Starts a delivery. Several may be open at once.
   *
   * @param block exactly as the NameNode knows it. A DataNode silently accepts another generation
   *     stamp or length, and the NameNode then considers the replica corrupt
   * @param target a node without a replica of the block, good or bad; otherwise it would refuse
   */
  Delivery open(Block block, DataNode target, String storageType) throws IOException;
}
