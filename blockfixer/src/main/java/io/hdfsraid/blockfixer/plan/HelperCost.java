// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.blockfixer.plan;

import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import io.hdfsraid.erasurecode.ReadCost;
import java.util.List;

/** A read cost that compares units by their length, and units of equal length by their nodes. */
final class HelperCost implements ReadCost {
  /** So small that all helpers of a stripe together weigh less than a hundredth of a unit. */
  private static final double WEIGHT = 0.0005;

  /**
   * The cost of a node that is being decommissioned or is in maintenance: HDFS is busy copying its
   * blocks.
   */
  private static final double LEAVING = 1;

  private final LocatedStripe stripe;
  private final ReadCost bytes;
  private final NodeCost nodes;

  HelperCost(LocatedStripe stripe, NodeCost nodes) {
    this.stripe = stripe;
    this.bytes = new LengthCost(stripe);
    this.nodes = nodes;
  }

  @Override
  public double perByte(int unit) {
    return bytes.perByte(unit)
        + WEIGHT * node(stripe.unit(unit).located().map(LocatedBlock::live).orElse(List.of()));
  }

  private double node(List<Replica> replicas) {
    return replicas.stream()
        .mapToDouble(replica -> nodes.of(replica.node()) + (replica.inService() ? 0 : LEAVING))
        .min()
        .orElse(0);
  }
}
