// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.blockfixer.placement;

import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.Replica;
import java.io.IOException;

/** Moves a replica between DataNodes. The bytes do not pass through this process. */
@FunctionalInterface
public interface BlockMover {

  /**
   * Makes the target fetch the replica and tell the NameNode to drop the old one. Returns when the
   * target has the replica; the NameNode drops the old one later.
   */
  void move(Block block, Replica from, DataNode to) throws IOException;
}
