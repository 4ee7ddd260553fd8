// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.blockfixer.placement;

import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.drfs.stripe.StripeUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A summary of the placement of all stripes of a file, from an audit.
 *
 * @param stripes number of stripes
 * @param sharingNode number of stripes with units that share a node
 * @param crowdingRack number of stripes with too many units in a rack and no units that share a
 *     node
 * @param stuck number of stripes with misplaced units that cannot be moved now; 0 while a stripe of
 *     the file waits for excess replicas to be dropped, which may change everything
 * @param refused number of units that DataNodes have refused to move off a shared node
 * @param dataBytes bytes of all data replicas, by node
 * @param parityBytes bytes of all parity replicas, by node
 */
public record FilePlacement(
    int stripes,
    int sharingNode,
    int crowdingRack,
    int stuck,
    int refused,
    Map<DataNode, Long> dataBytes,
    Map<DataNode, Long> parityBytes) {
  public FilePlacement {
    dataBytes = Map.copyOf(dataBytes);
    parityBytes = Map.copyOf(parityBytes);
  }

  /** Summarises the stripes of one file. */
  public static FilePlacement of(List<UnitPlacement> stripes) {
    int sharing = 0;
    int crowding = 0;
    int stuck = 0;
    int refused = 0;
    boolean waiting = stripes.stream().anyMatch(stripe -> !stripe.notSettled().isEmpty());
    Map<DataNode, Long> data = new HashMap<>();
    Map<DataNode, Long> parity = new HashMap<>();
    for (UnitPlacement stripe : stripes) {
      sharing += stripe.sharesNode() ? 1 : 0;
      crowding += !stripe.sharesNode() && crowdsRack(stripe) ? 1 : 0;
      stuck += waiting || stripe.stuck().isEmpty() ? 0 : 1;
      refused += stripe.refused();
      for (StripeUnit unit : stripe.stripe().units()) {
        boolean isParity = stripe.stripe().codec().shape().isParity(unit.unit());
        for (Replica replica : unit.located().map(LocatedBlock::live).orElse(List.of())) {
          (isParity ? parity : data).merge(replica.node(), unit.length(), Long::sum);
        }
      }
    }
    return new FilePlacement(stripes.size(), sharing, crowding, stuck, refused, data, parity);
  }

  private static boolean crowdsRack(UnitPlacement stripe) {
    return stripe.moves().stream().anyMatch(move -> move.reason() == UnitMove.Reason.CROWDED_RACK);
  }
}
