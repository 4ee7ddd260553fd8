package io.hdfsraid.blockfixer.placement;

import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.drfs.stripe.StripeUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How the stripes of a file are spread, as an audit left them.
 *
 * @param stripes how many there are
 * @param sharingNode of which units share a node
 * @param crowdingRack of which more units are in a rack than have to be, and none share a node
 * @param stuck of which something is wrong that cannot be moved now; none as long as a stripe of
 *     the file waits for excess replicas to go, for that may change all
 * @param refused how many units DataNodes have refused to move off a shared node
 * @param parityBytes of all parity replicas, by node
 */
public record Spread(
    int stripes,
    int sharingNode,
    int crowdingRack,
    int stuck,
    int refused,
    Map<DataNode, Long> parityBytes) {
  public Spread {
    parityBytes = Map.copyOf(parityBytes);
  }

  /** Of the stripes of one file. */
  public static Spread of(List<Placement> stripes) {
    int sharing = 0;
    int crowding = 0;
    int stuck = 0;
    int refused = 0;
    boolean waiting = stripes.stream().anyMatch(stripe -> !stripe.notSettled().isEmpty());
    Map<DataNode, Long> parity = new HashMap<>();
    for (Placement stripe : stripes) {
      boolean shares = has(stripe, Move.Reason.SHARED_NODE);
      sharing += shares ? 1 : 0;
      crowding += !shares && has(stripe, Move.Reason.CROWDED_RACK) ? 1 : 0;
      stuck += waiting || stripe.stuck().isEmpty() ? 0 : 1;
      refused += stripe.refused();
      for (StripeUnit unit : stripe.stripe().units()) {
        if (stripe.stripe().codec().shape().isParity(unit.unit())) {
          for (Replica replica : unit.located().map(LocatedBlock::live).orElse(List.of())) {
            parity.merge(replica.node(), unit.length(), Long::sum);
          }
        }
      }
    }
    return new Spread(stripes.size(), sharing, crowding, stuck, refused, parity);
  }

  private static boolean has(Placement stripe, Move.Reason reason) {
    return stripe.moves().stream().anyMatch(move -> move.reason() == reason);
  }
}
