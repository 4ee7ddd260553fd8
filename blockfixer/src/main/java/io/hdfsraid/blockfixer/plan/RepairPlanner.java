// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.blockfixer.plan;

import io.hdfsraid.blockfixer.detect.Fault;
import io.hdfsraid.blockfixer.detect.StripeHealth;
import io.hdfsraid.blockfixer.detect.StripeHealth.State;
import io.hdfsraid.blockfixer.detect.UnitFinding;
import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.drfs.namespace.Namespace;
import io.hdfsraid.drfs.namespace.NodeState;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import io.hdfsraid.drfs.stripe.StripeUnit;
import io.hdfsraid.erasurecode.RebuildRecipe;
import io.hdfsraid.erasurecode.UnitSet;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Plans the repair of a degraded stripe. Changes nothing. Safe for concurrent use. */
public final class RepairPlanner {
  /** The media that keep a replica over a restart of the DataNode; the cheap ones first. */
  private static final List<String> PERMANENT = List.of("DISK", "ARCHIVE", "SSD");

  private final Namespace namespace;
  private final TargetSelector targets;
  private final NodeCost nodes;

  public RepairPlanner(Namespace namespace, TargetSelector targets) {
    this(namespace, targets, NodeCost.NONE);
  }

  /**
   * Creates a planner that prefers some helpers.
   *
   * @param nodes the cost of nodes, which decides between units of equal length
   */
  public RepairPlanner(Namespace namespace, TargetSelector targets, NodeCost nodes) {
    this.namespace = namespace;
    this.targets = targets;
    this.nodes = nodes;
  }

  /**
   * Plans the repair of all lost units of the stripe in one pass, or of as many as the remaining
   * units determine and nodes have room for ({@link RepairPlan#partial} then). A stripe with too
   * many losses remains unrecoverable, and one with changed units remains unknown, but the units
   * that can be rebuilt are rebuilt.
   *
   * @throws IllegalArgumentException if the stripe is healthy
   */
  public RepairDecision plan(StripeHealth health) throws IOException {
    return health.state() == State.UNKNOWN && health.lost().isEmpty()
        ? new RepairBlocked(health.stripe(), health.message())
        : plan(health, health.lost(), Set.of());
  }

  /**
   * Plans the repair of some of the lost units. The other lost units are neither read nor rebuilt,
   * because their nodes may return.
   *
   * @param wanted at least one of the lost units
   * @param avoid nodes that have failed as targets
   * @throws IllegalArgumentException if a wanted unit is not lost, or if no unit is wanted
   */
  public RepairDecision plan(StripeHealth health, UnitSet wanted, Set<DataNode> avoid)
      throws IOException {
    LocatedStripe stripe = health.stripe();
    if (wanted.isEmpty() || !health.lost().containsAll(wanted)) {
      throw new IllegalArgumentException(
          "Units %s are not to be repaired: %s".formatted(wanted, health.message()));
    }
    // Codes are linear: units that are determined separately are determined together.
    UnitSet determined = wanted.minus(wanted.minus(health.determined()));
    if (determined.isEmpty()) {
      return health.state() == State.UNKNOWN
          ? new RepairBlocked(stripe, health.message())
          : new RepairImpossible(stripe, health.message());
    }
    Set<DataNode> unusable = new HashSet<>(avoid);
    health.findings().stream()
        .filter(finding -> finding.fault() == Fault.UNREACHABLE)
        .flatMap(finding -> finding.replica().stream())
        .map(Replica::node)
        .forEach(unusable::add);
    List<NodeState> live = namespace.nodes();
    Occupancy occupancy = Occupancy.of(stripe);
    int rackLimit = RackLimit.of(stripe.codec().shape().units() - stripe.absent().size(), live);
    List<PlannedDelivery> deliveries = new ArrayList<>();
    UnitSet unplaced = UnitSet.none();
    for (int unit : determined.toArray()) {
      Optional<PlannedDelivery> delivery =
          place(health, unit, unusable, occupancy, rackLimit, live);
      if (delivery.isPresent()) {
        deliveries.add(delivery.get());
      } else {
        unplaced = unplaced.with(unit);
      }
    }
    if (deliveries.isEmpty()) {
      int unit = unplaced.toArray()[0];
      return new RepairBlocked(
          stripe,
          "No DataNode in service has room for unit %d (%d bytes) of %s and holds nothing of its block; %d nodes are live, %d could not be used. Add nodes or free space"
              .formatted(unit, stripe.unit(unit).length(), stripe, live.size(), unusable.size()));
    }
    RebuildRecipe recipe = recipe(stripe, determined.minus(unplaced)).orElseThrow();
    return new RepairPlan(
        health,
        recipe,
        deliveries,
        wanted.minus(determined),
        unplaced,
        bytesToRead(stripe, recipe),
        deliveries.stream().mapToLong(delivery -> delivery.block().length()).sum());
  }

  private Optional<RebuildRecipe> recipe(LocatedStripe stripe, UnitSet wanted) {
    return stripe
        .codec()
        .recipe(wanted, stripe.available(), stripe.cost(new HelperCost(stripe, nodes)));
  }

  private Optional<PlannedDelivery> place(
      StripeHealth health,
      int unit,
      Set<DataNode> unusable,
      Occupancy occupancy,
      int rackLimit,
      List<NodeState> nodes) {
    StripeUnit lost = health.stripe().unit(unit);
    LocatedBlock located = lost.located().orElseThrow();
    Set<DataNode> excluded = new HashSet<>(unusable);
    excluded.addAll(located.holders());
    health.findings().stream()
        .filter(finding -> finding.unit() == unit)
        .map(UnitFinding::replica)
        .flatMap(Optional::stream)
        .map(Replica::node)
        .forEach(excluded::add);
    Optional<DeliveryTarget> target =
        targets.choose(
            occupancy, unit, lost.length(), media(health.stripe(), located), excluded, nodes);
    target.ifPresent(chosen -> occupancy.add(unit, chosen.node()));
    return target.map(
        chosen ->
            new PlannedDelivery(
                unit,
                located.block(),
                lost.crc(),
                chosen.node(),
                chosen.storageType(),
                chosen.crowded(rackLimit)));
  }

  /**
   * Returns the media for a unit, best first: the media of its own replicas, then those of the
   * other units, the most frequent first. If no node has room there, any other medium will do: a
   * unit on another medium than its storage policy wants is better than none, and HDFS's Mover
   * brings it back.
   */
  private static List<String> media(LocatedStripe stripe, LocatedBlock located) {
    Map<String, Long> frequency =
        stripe.units().stream()
            .flatMap(unit -> unit.located().stream())
            .flatMap(RepairPlanner::media)
            .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
    Stream<String> frequent =
        frequency.keySet().stream()
            .sorted(Comparator.comparing(frequency::get, Comparator.reverseOrder()));
    return Stream.of(media(located), frequent, PERMANENT.stream())
        .flatMap(Function.identity())
        .distinct()
        .toList();
  }

  private static Stream<String> media(LocatedBlock block) {
    return Stream.concat(block.live().stream(), block.corrupt().stream()).map(Replica::storageType);
  }

  private static long bytesToRead(LocatedStripe stripe, RebuildRecipe recipe) {
    return recipe.helpers().stream()
        .mapToLong(
            unit ->
                recipe.bytesRead(
                    unit, stripe.unit(unit).length(), stripe.stripeLength(), stripe.layout()))
        .sum();
  }
}
