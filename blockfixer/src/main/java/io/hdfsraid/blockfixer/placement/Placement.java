package io.hdfsraid.blockfixer.placement;

import io.hdfsraid.drfs.stripe.LocatedStripe;
import java.util.List;

/**
 * What an audit found about where the units of a stripe lie.
 *
 * @param moves that would spread it, as few as possible
 * @param notSettled units whose excess replicas are not gone yet
 * @param stuck what is wrong and cannot be moved now, in words: no better place, or the unit is
 *     lost
 * @param refused how many of the stuck units DataNodes have refused to move
 */
public record Placement(
    LocatedStripe stripe,
    List<Move> moves,
    List<NotSettled> notSettled,
    List<String> stuck,
    int refused) {
  public Placement {
    moves = List.copyOf(moves);
    notSettled = List.copyOf(notSettled);
    stuck = List.copyOf(stuck);
  }

  /** The stripe bears what its code promises: nothing to move, nothing to wait for. */
  public boolean sound() {
    return moves.isEmpty() && notSettled.isEmpty() && stuck.isEmpty();
  }
}
