package io.hdfsraid.blockfixer.plan;

import io.hdfsraid.drfs.block.DataNode;

/**
 * A node chosen for a unit.
 *
 * @param othersThere how many other units of the stripe it holds; 0 where that was possible
 * @param othersInRack how many its rack holds
 */
public record Target(DataNode node, int othersThere, int othersInRack) {
  /**
   * Whether it would be better elsewhere.
   *
   * @param rackLimit as of {@link RackLimit}
   */
  public boolean crowded(int rackLimit) {
    return othersThere > 0 || othersInRack >= rackLimit;
  }
}
