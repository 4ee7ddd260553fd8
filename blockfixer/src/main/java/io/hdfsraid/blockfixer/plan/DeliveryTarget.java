// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.blockfixer.plan;

import io.hdfsraid.drfs.block.DataNode;

/**
 * A node chosen for a unit.
 *
 * @param storageType HDFS's name for the medium of the node that has room for the unit
 * @param othersThere number of other units of the stripe on the node; 0 where possible
 * @param othersInRack number of other units of the stripe in its rack
 */
public record DeliveryTarget(DataNode node, String storageType, int othersThere, int othersInRack) {
  /**
   * Whether the unit should be moved later.
   *
   * @param rackLimit the limit from {@link RackLimit}
   */
  public boolean crowded(int rackLimit) {
    return othersThere > 0 || othersInRack >= rackLimit;
  }
}
