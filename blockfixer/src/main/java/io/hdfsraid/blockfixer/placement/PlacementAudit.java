// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.blockfixer.placement;

import io.hdfsraid.blockfixer.placement.RefusedMoves.Refusal;
import io.hdfsraid.blockfixer.placement.UnitMove.Reason;
import io.hdfsraid.blockfixer.placement.UnsettledUnit.Cause;
import io.hdfsraid.blockfixer.plan.Occupancy;
import io.hdfsraid.blockfixer.plan.RackLimit;
import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.drfs.namespace.NodeState;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import io.hdfsraid.drfs.stripe.StripeUnit;
import io.hdfsraid.drfs.stripe.UnitState;
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
 * Audits where the units of a stripe are and plans moves: no two units on one node, and no more
 * units in a rack than necessary. Of several possible moves it prefers the shorter unit, then the
 * move that takes from a node what it has too much of (data or parity), then a target in the same
 * rack, then the target with less of it. Only replicas on nodes in service count; the NameNode
 * copies the others. Changes nothing. Safe for concurrent use.
 */
public final class PlacementAudit {
  private final ParityBytes parity;
  private final RefusedMoves refused;
  private final RandomGenerator random;

  /**
   * Creates an audit.
   *
   * @param parity separates data from parity on a node
   * @param refused moves that were refused and must not be requested yet
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
   * @param dataReplication number of replicas that each data unit should have
   * @param parityReplication number of replicas that each parity unit should have
   * @param nodes all live DataNodes
   */
  public UnitPlacement audit(
      LocatedStripe stripe, int dataReplication, int parityReplication, List<NodeState> nodes) {
    return audit(stripe, dataReplication, parityReplication, Set.of(), nodes);
  }

  /**
   * Audits one stripe with units of which a snapshot keeps excess replicas. The audit does not wait
   * for the NameNode to drop them. As with any unit that has replicas on two nodes, no single node
   * failure can lose such a unit, so nothing is moved away from its nodes; but other units are
   * moved elsewhere if possible.
   *
   * @param held ids of the blocks whose replicas all stay
   */
  public UnitPlacement audit(
      LocatedStripe stripe,
      int dataReplication,
      int parityReplication,
      Set<Long> held,
      List<NodeState> nodes) {
    StripeAudit audit = new StripeAudit(stripe, held, nodes);
    for (StripeUnit unit : stripe.units()) {
      audit.add(
          unit, stripe.codec().shape().isParity(unit.unit()) ? parityReplication : dataReplication);
    }
    audit.shareNoNode();
    audit.crowdNoRack();
    return new UnitPlacement(
        stripe, audit.sharesNode, audit.moves, audit.notSettled, audit.stuck, audit.refusedUnits);
  }

  /** The moves planned so far, and the places of all units after them. */
  private final class StripeAudit {
    private final LocatedStripe stripe;
    private final Map<DataNode, NodeState> states = new HashMap<>();
    private final List<NodeState> targets;
    private final Set<Long> held;
    private final Occupancy occupancy = new Occupancy();

    /**
     * The places of units with replicas on several nodes, which no single node failure can lose.
     */
    private final Occupancy replicated = new Occupancy();

    /** The units among them whose replicas are all in one rack, and can be lost with it. */
    private final Occupancy replicatedInOneRack = new Occupancy();

    private final int rackLimit;
    private final List<StripeUnit> movable = new ArrayList<>();
    private final Map<StripeUnit, Refusal> refusals = new HashMap<>();
    private final List<UnitMove> moves = new ArrayList<>();
    private final List<UnsettledUnit> notSettled = new ArrayList<>();
    private final List<String> stuck = new ArrayList<>();
    private boolean sharesNode;
    private int refusedUnits;

    StripeAudit(LocatedStripe stripe, Set<Long> held, List<NodeState> nodes) {
      this.stripe = stripe;
      this.held = held;
      this.targets = nodes.stream().filter(NodeState::inService).toList();
      nodes.forEach(state -> states.put(state.node(), state));
      int present = stripe.codec().shape().units() - stripe.absent().size();
      this.rackLimit = RackLimit.of(present, nodes);
    }

    void add(StripeUnit unit, int expected) {
      if (unit.state() == UnitState.ABSENT) {
        return;
      }
      if (unit.state() != UnitState.LIVE) {
        stuck.add("Unit %d of %s is %s".formatted(unit.unit(), stripe, unit.state()));
        return;
      }
      LocatedBlock located = unit.located().orElseThrow();
      List<Replica> inService = inService(unit);
      boolean excess = inService.size() > expected && !held.contains(located.block().id());
      if (inService.size() > 1 && (!excess || expected > 1)) {
        addReplicated(unit, inService);
        if (excess) {
          notSettled.add(notSettled(unit, located, expected, Cause.EXCESS));
        }
        return;
      }
      inService.forEach(replica -> occupancy.add(unit.unit(), replica.node()));
      if (inService.isEmpty()) {
        notSettled.add(notSettled(unit, located, expected, Cause.LEAVING));
      } else if (excess) {
        notSettled.add(notSettled(unit, located, expected, Cause.EXCESS));
      } else if (inService.size() == 1) {
        Optional<Refusal> refusal = refused.of(located.block());
        refusal.ifPresent(found -> refusals.put(unit, found));
        if (refusal.isEmpty()) {
          movable.add(unit);
        }
      }
    }

    private void addReplicated(StripeUnit unit, List<Replica> replicas) {
      boolean oneRack =
          replicas.stream().map(replica -> replica.node().rack()).distinct().count() == 1;
      for (Replica replica : replicas) {
        replicated.add(unit.unit(), replica.node());
        if (oneRack) {
          replicatedInOneRack.add(unit.unit(), replica.node());
        }
      }
    }

    private static UnsettledUnit notSettled(
        StripeUnit unit, LocatedBlock located, int expected, Cause cause) {
      Set<DataNode> nodes = located.live().stream().map(Replica::node).collect(Collectors.toSet());
      return new UnsettledUnit(unit.unit(), located.block(), expected, nodes, cause);
    }

    void shareNoNode() {
      sharesNode =
          Stream.concat(movable.stream(), refusals.keySet().stream()).anyMatch(this::shares);
      if (!sharesNode) {
        return; // the usual case: skip the search over all nodes
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
                  "Unit %d of %s shares %s with another unit, and its move was refused %d times; next attempt not before %s: %s"
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

    /**
     * Returns how much more data or parity the node of the unit holds than the average node; 0 is
     * average.
     */
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
        int there = 1 + othersIn(node.rack(), unit);
        if (there > rackLimit && !move(unit, Reason.CROWDED_RACK)) {
          stuck.add(
              "Rack %s holds %d units of %s although %d would suffice, and no node elsewhere has room for unit %d on %s"
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
     * Plans the move of a unit to a node of its own, in a rack that stays within the limit. A unit
     * on a shared node may move to a crowded rack, too.
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
          possible.stream()
              .filter(state -> replicated.othersOn(state.node(), unit.unit()) == 0)
              .toList();
      List<NodeState> free = apart.isEmpty() ? possible : apart;
      List<NodeState> fitting =
          free.stream().filter(state -> others(state, unit) < rackLimit).toList();
      if (fitting.isEmpty() && (reason == Reason.CROWDED_RACK || free.isEmpty())) {
        return false;
      }
      NodeState target = target(unit, from.node().rack(), fitting.isEmpty() ? free : fitting);
      moves.add(new UnitMove(unit.unit(), located.block(), from, target.node(), reason));
      occupancy.move(unit.unit(), target.node());
      movable.remove(unit);
      return true;
    }

    /** Selects a target, in the same rack if possible, so that no bytes cross racks. */
    private NodeState target(StripeUnit unit, String rack, List<NodeState> fitting) {
      List<NodeState> near =
          fitting.stream().filter(state -> state.node().rack().equals(rack)).toList();
      synchronized (random) {
        return near.isEmpty()
            ? PowerOfChoices.least(fitting, state -> others(state, unit), 0, load(unit), random)
            : PowerOfChoices.lessLoadedOfFew(near, load(unit), random);
      }
    }

    private int others(NodeState state, StripeUnit unit) {
      return othersIn(state.node().rack(), unit);
    }

    /** Returns how many other units would be lost with the rack. */
    private int othersIn(String rack, StripeUnit unit) {
      return occupancy.othersIn(rack, unit.unit())
          + replicatedInOneRack.othersIn(rack, unit.unit());
    }
  }

  private static List<Replica> inService(StripeUnit unit) {
    return unit.located().orElseThrow().live().stream().filter(Replica::inService).toList();
  }

  private static Replica only(StripeUnit unit) {
    return inService(unit).get(0);
  }
}
