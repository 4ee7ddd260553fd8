package io.hdfsraid.blockfixer.placement;

import io.hdfsraid.blockfixer.placement.Move.Reason;
import io.hdfsraid.blockfixer.plan.Occupancy;
import io.hdfsraid.blockfixer.plan.Target;
import io.hdfsraid.blockfixer.plan.TargetChoice;
import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.drfs.namespace.NodeState;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import io.hdfsraid.drfs.stripe.StripeUnit;
import io.hdfsraid.drfs.stripe.StripeUnit.Standing;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/**
 * Looks where the units of a stripe lie and says which should lie elsewhere: no two on one node, no
 * more in a rack than has to be. Changes nothing. Safe for concurrent use.
 */
public final class PlacementAudit {
  private final TargetChoice targets;

  public PlacementAudit(TargetChoice targets) {
    this.targets = targets;
  }

  /**
   * Audits one stripe.
   *
   * @param dataReplication replicas each data unit is to have
   * @param parityReplication the same for parity
   * @param nodes all live DataNodes
   */
  public Placement audit(
      LocatedStripe stripe, int dataReplication, int parityReplication, List<NodeState> nodes) {
    List<NotSettled> notSettled = new ArrayList<>();
    List<StripeUnit> movable = new ArrayList<>();
    List<String> stuck = new ArrayList<>();
    for (StripeUnit unit : stripe.units()) {
      int expected =
          stripe.codec().shape().isParity(unit.unit()) ? parityReplication : dataReplication;
      if (unit.standing() == Standing.LIVE) {
        LocatedBlock located = unit.located().orElseThrow();
        if (located.live().size() > expected) {
          notSettled.add(new NotSettled(unit.unit(), located.block(), expected, located.holders()));
        } else if (located.live().size() == 1) {
          movable.add(unit);
        }
      } else if (unit.standing() != Standing.ABSENT) {
        stuck.add("Unit %d of %s is %s".formatted(unit.unit(), stripe, unit.standing()));
      }
    }
    // The shortest first: of two units that share a node, moving the smaller one is cheaper.
    movable.sort(Comparator.comparingLong(StripeUnit::length));
    Spread spread = new Spread(stripe, nodes, movable);
    spread.shareNoNode(stuck);
    spread.crowdNoRack(stuck);
    return new Placement(stripe, spread.moves, notSettled, stuck);
  }

  /** Moves decided so far, and where everything lies once they are done. */
  private final class Spread {
    private final LocatedStripe stripe;
    private final List<NodeState> nodes;
    private final List<StripeUnit> movable;
    private final Occupancy occupancy;
    private final int rackLimit;
    private final List<Move> moves = new ArrayList<>();

    Spread(LocatedStripe stripe, List<NodeState> nodes, List<StripeUnit> movable) {
      this.stripe = stripe;
      this.nodes = nodes;
      this.movable = new ArrayList<>(movable);
      this.occupancy = Occupancy.of(stripe);
      int present = stripe.codec().shape().units() - stripe.absent().size();
      this.rackLimit = RackLimit.of(present, nodes);
    }

    void shareNoNode(List<String> stuck) {
      for (StripeUnit unit : List.copyOf(movable)) {
        DataNode node = only(unit).node();
        if (occupancy.othersOn(node, unit.unit()) > 0
            && !move(unit, Reason.SHARED_NODE, Integer.MAX_VALUE)) {
          stuck.add(
              "Unit %d of %s shares %s with another unit, and no node without one has room for it"
                  .formatted(unit.unit(), stripe, node));
        }
      }
    }

    void crowdNoRack(List<String> stuck) {
      for (StripeUnit unit : List.copyOf(movable)) {
        DataNode node = only(unit).node();
        if (1 + occupancy.othersIn(node.rack(), unit.unit()) > rackLimit
            && !move(unit, Reason.CROWDED_RACK, rackLimit)) {
          stuck.add(
              "Rack %s holds %d units of %s although %d would do, and no node elsewhere has room for unit %d"
                  .formatted(
                      node.rack(),
                      1 + occupancy.othersIn(node.rack(), unit.unit()),
                      stripe,
                      rackLimit,
                      unit.unit()));
        }
      }
    }

    /** Only to a node of its own in a rack that then stays within the limit. */
    private boolean move(StripeUnit unit, Reason reason, int limit) {
      Replica from = only(unit);
      LocatedBlock located = unit.located().orElseThrow();
      Set<DataNode> excluded = located.holders();
      Target target =
          targets
              .choose(occupancy, unit.unit(), unit.length(), excluded, nodes)
              .filter(found -> !found.crowded())
              .filter(found -> occupancy.othersIn(found.node().rack(), unit.unit()) < limit)
              .orElse(null);
      if (target == null) {
        return false;
      }
      moves.add(new Move(unit.unit(), located.block(), from, target.node(), reason));
      occupancy.move(unit.unit(), target.node());
      movable.remove(unit);
      return true;
    }
  }

  private static Replica only(StripeUnit unit) {
    return unit.located().orElseThrow().live().get(0);
  }
}
