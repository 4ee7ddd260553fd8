// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.blockfixer.placement;

import io.hdfsraid.drfs.stripe.LocatedStripe;
import java.util.List;

/**
 * The findings of an audit about the places of the units of a stripe.
 *
 * @param sharesNode whether two units lie on one node, whether or not they can be moved apart now
 * @param moves the moves that would spread the stripe, as few as possible
 * @param notSettled units whose replicas the NameNode is about to change
 * @param stuck sentences about units that are misplaced and cannot be moved now: there is no better
 *     place, or the unit is lost
 * @param refused number of stuck units that DataNodes have refused to move
 */
public record UnitPlacement(
    LocatedStripe stripe,
    boolean sharesNode,
    List<UnitMove> moves,
    List<UnsettledUnit> notSettled,
    List<String> stuck,
    int refused) {
  public UnitPlacement {
    moves = List.copyOf(moves);
    notSettled = List.copyOf(notSettled);
    stuck = List.copyOf(stuck);
  }

  /**
   * Whether the stripe tolerates what its code promises: nothing to move and nothing to wait for.
   */
  public boolean sound() {
    return moves.isEmpty() && notSettled.isEmpty() && stuck.isEmpty();
  }
}
