// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.blockfixer.placement;

import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.DataNode;
import java.util.Set;

/**
 * A unit whose replicas the NameNode is about to change. It is not moved before.
 *
 * @param expected the number of replicas that the unit should have
 * @param nodes the nodes that hold replicas now
 */
public record UnsettledUnit(int unit, Block block, int expected, Set<DataNode> nodes, Cause cause) {
  /** The change that the NameNode is about to make. */
  public enum Cause {
    /** Drop excess replicas; after a failover this can take hours. */
    EXCESS,
    /**
     * Copy the replicas, which are all on nodes that are being decommissioned or are in
     * maintenance.
     */
    LEAVING
  }

  public UnsettledUnit {
    nodes = Set.copyOf(nodes);
  }
}
