// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.blockfixer.placement;

import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.Replica;

/** A planned move of a unit to another node. */
public record UnitMove(int unit, Block block, Replica from, DataNode to, Reason reason) {

  /** The reason for a move. */
  public enum Reason {
    /** Its node holds another unit of the stripe: one failure would take both. */
    SHARED_NODE,
    /** Its rack holds more units of the stripe than necessary. */
    CROWDED_RACK
  }

  @Override
  public String toString() {
    return "unit %d (%s) from %s to %s: %s".formatted(unit, block, from.node(), to, reason);
  }
}
