package io.hdfsraid.blockfixer.plan;

import io.hdfsraid.drfs.block.DataNode;

/**
 * A node chosen for a unit.
 *
 * @param othersThere how many other units of the stripe it holds; 0 where that was possible
 */
public record Target(DataNode node, int othersThere) {
  public boolean crowded() {
    return othersThere > 0;
  }
}
