package io.hdfsraid.blockfixer.placement;

import io.hdfsraid.blockfixer.placement.Move.Reason;
import io.hdfsraid.blockfixer.placement.NotSettled.Why;
import io.hdfsraid.blockfixer.placement.RefusedMoves.Refusal;
import io.hdfsraid.blockfixer.plan.Occupancy;
import io.hdfsraid.blockfixer.plan.RackLimit;
import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.drfs.namespace.NodeState;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import io.hdfsraid.drfs.stripe.StripeUnit;
import io.hdfsraid.drfs.stripe.StripeUnit.Standing;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Looks where the units of a stripe lie and says which should lie elsewhere: no two on one node, no
 * more in a rack than has to be. Of several moves that would do it prefers the shorter unit, then
 * the one that takes what its node has too much of, data or parity, then a target in the same rack,
 * then the target that has less of it. Only replicas on nodes in service count: the others are
 * about to be copied by the NameNode, or were. Changes nothing. Safe for concurrent use.
 */
public final class PlacementAudit {
  private final ParityBytes parity;
  private final RefusedMoves refused;
  private final RandomGenerator random;

  /**
   * An audit.
   *
   * @param parity tells data from parity on a node
   * @param refused moves that are not asked for again yet
   * @param random decides among equals
   */
  public PlacementAudit(ParityBytes parity, RefusedMoves refused, RandomGenerator random) {
    this.parity = parity;
    this.refused = refused;
    this.random = random;
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
    return audit(stripe, dataReplication, parityReplication, Set.of(), nodes);
  }

  /**
   * Audits one stripe of which something else, a snapshot, keeps replicas that are excess to us. No
   * one node takes such a unit, so nothing is moved away from it and it is not waited for; what is
   * moved goes elsewhere if it can, for all but one of these replicas go when the snapshot does.
   *
   * @param held ids of the blocks of which all replicas stay
   */
  public Placement audit(
      LocatedStripe stripe,
      int dataReplication,
      int parityReplication,
      Set<Long> held,
      List<NodeState> nodes) {
    Spread spread = new Spread(stripe, held, nodes);
    for (StripeUnit unit : stripe.units()) {
      spread.add(
          unit, stripe.codec().shape().isParity(unit.unit()) ? parityReplication : dataReplication);
    }
    spread.shareNoNode();
    spread.crowdNoRack();
    return new Placement(
        stripe, spread.moves, spread.notSettled, spread.stuck, spread.refusedUnits);
  }

  /** Moves decided so far, and where everything lies once they are done. */
  private final class Spread {
    private final LocatedStripe stripe;
    private final Map<DataNode, NodeState> states = new HashMap<>();
    private final List<NodeState> targets;
    private final Set<Long> held;
    private final Occupancy occupancy = new Occupancy();

    /** Of the units that are held, and so not in danger with any one of these nodes. */
    private final Occupancy kept = new Occupancy();

    private final int rackLimit;
    private final List<StripeUnit> movable = new ArrayList<>();
    private final Map<StripeUnit, Refusal> refusals = new HashMap<>();
    private final List<Move> moves = new ArrayList<>();
    private final List<NotSettled> notSettled = new ArrayList<>();
    private final List<String> stuck = new ArrayList<>();
    private int refusedUnits;

    Spread(LocatedStripe stripe, Set<Long> held, List<NodeState> nodes) {
      this.stripe = stripe;
      this.held = held;
      this.targets = nodes.stream().filter(NodeState::inService).toList();
      nodes.forEach(state -> states.put(state.node(), state));
      int present = stripe.codec().shape().units() - stripe.absent().size();
      this.rackLimit = RackLimit.of(present, nodes);
    }

    void add(StripeUnit unit, int expected) {
      if (unit.standing() == Standing.ABSENT) {
        return;
      }
      if (unit.standing() != Standing.LIVE) {
        stuck.add("Unit %d of %s is %s".formatted(unit.unit(), stripe, unit.standing()));
        return;
      }
      LocatedBlock located = unit.located().orElseThrow();
      List<Replica> inService = inService(unit);
      if (inService.size() > expected && held.contains(located.block().id())) {
        inService.forEach(replica -> kept.add(unit.unit(), replica.node()));
        return;
      }
      inService.forEach(replica -> occupancy.add(unit.unit(), replica.node()));
      if (inService.isEmpty()) {
        notSettled.add(notSettled(unit, located, expected, Why.LEAVING));
      } else if (inService.size() > expected) {
        notSettled.add(notSettled(unit, located, expected, Why.EXCESS));
      } else if (inService.size() == 1) {
        Optional<Refusal> refusal = refused.of(located.block());
        refusal.ifPresent(found -> refusals.put(unit, found));
        if (refusal.isEmpty()) {
          movable.add(unit);
        }
      }
    }

    private static NotSettled notSettled(
        StripeUnit unit, LocatedBlock located, int expected, Why why) {
      Set<DataNode> nodes = located.live().stream().map(Replica::node).collect(Collectors.toSet());
      return new NotSettled(unit.unit(), located.block(), expected, nodes, why);
    }

    void shareNoNode() {
      if (Stream.concat(movable.stream(), refusals.keySet().stream()).noneMatch(this::shares)) {
        return; // as nearly always: nothing that looks at all nodes is worth its time
      }
      Map<StripeUnit, Double> excess = new HashMap<>();
      movable.forEach(unit -> excess.put(unit, excessAtHome(unit)));
      movable.sort(
          Comparator.comparingLong(StripeUnit::length).thenComparing(unit -> -excess.get(unit)));
      for (StripeUnit unit : List.copyOf(movable)) {
        if (shares(unit) && !move(unit, Reason.SHARED_NODE)) {
          stuck.add(
              "Unit %d of %s shares %s with another unit, and no node without one has room for it on %s"
                  .formatted(unit.unit(), stripe, only(unit).node(), only(unit).storageType()));
        }
      }
      refusals.forEach(
          (unit, refusal) -> {
            if (shares(unit)) {
              refusedUnits++;
              stuck.add(
                  "Unit %d of %s shares %s with another unit, and its move was refused %d times; not before %s again: %s"
                      .formatted(
                          unit.unit(),
                          stripe,
                          only(unit).node(),
                          refusal.times(),
                          refusal.until(),
                          refusal.reason()));
            }
          });
    }

    private boolean shares(StripeUnit unit) {
      return occupancy.othersOn(only(unit).node(), unit.unit()) > 0;
    }

    /** How much more of its kind its node holds than the nodes do on average; 0 is average. */
    private double excessAtHome(StripeUnit unit) {
      NodeState home = states.get(only(unit).node());
      ToDoubleFunction<NodeState> load = load(unit);
      double mean = targets.stream().mapToDouble(load).average().orElse(0);
      return home == null || mean == 0 ? 0 : load.applyAsDouble(home) / mean - 1;
    }

    private ToDoubleFunction<NodeState> load(StripeUnit unit) {
      return stripe.codec().shape().isParity(unit.unit()) ? parity::parityLoad : parity::dataLoad;
    }

    void crowdNoRack() {
      for (StripeUnit unit : List.copyOf(movable)) {
        DataNode node = only(unit).node();
        int there = 1 + occupancy.othersIn(node.rack(), unit.unit());
        if (there > rackLimit && !move(unit, Reason.CROWDED_RACK)) {
          stuck.add(
              "Rack %s holds %d units of %s although %d would do, and no node elsewhere has room for unit %d on %s"
                  .formatted(
                      node.rack(),
                      there,
                      stripe,
                      rackLimit,
                      unit.unit(),
                      only(unit).storageType()));
        }
      }
    }

    /**
     * To a node of its own in a rack that then stays within the limit; only to get off a shared
     * node it may go to a crowded rack, too.
     */
    private boolean move(StripeUnit unit, Reason reason) {
      LocatedBlock located = unit.located().orElseThrow();
      Replica from = only(unit);
      long bytes = unit.length() + unit.length() / 64; // and its checksums
      List<NodeState> possible =
          targets.stream()
              .filter(state -> !located.holders().contains(state.node()))
              .filter(state -> occupancy.othersOn(state.node(), unit.unit()) == 0)
              .filter(state -> state.room(from.storageType()) >= bytes)
              .toList();
      List<NodeState> apart =
          possible.stream().filter(state -> kept.othersOn(state.node(), unit.unit()) == 0).toList();
      List<NodeState> free = apart.isEmpty() ? possible : apart;
      List<NodeState> fitting =
          free.stream().filter(state -> others(state, unit) < rackLimit).toList();
      if (fitting.isEmpty() && (reason == Reason.CROWDED_RACK || free.isEmpty())) {
        return false;
      }
      NodeState target = target(unit, from.node().rack(), fitting.isEmpty() ? free : fitting);
      moves.add(new Move(unit.unit(), located.block(), from, target.node(), reason));
      occupancy.move(unit.unit(), target.node());
      movable.remove(unit);
      return true;
    }

    /** In the same rack if it can be: then no bytes cross racks. */
    private NodeState target(StripeUnit unit, String rack, List<NodeState> fitting) {
      List<NodeState> near =
          fitting.stream().filter(state -> state.node().rack().equals(rack)).toList();
      synchronized (random) {
        return near.isEmpty()
            ? Lots.least(fitting, state -> others(state, unit), 0, load(unit), random)
            : Lots.lessLoadedOfFew(near, load(unit), random);
      }
    }

    private int others(NodeState state, StripeUnit unit) {
      return occupancy.othersIn(state.node().rack(), unit.unit());
    }
  }

  private static List<Replica> inService(StripeUnit unit) {
    return unit.located().orElseThrow().live().stream().filter(Replica::inService).toList();
  }

  private static Replica only(StripeUnit unit) {
    return inService(unit).get(0);
  }
}
