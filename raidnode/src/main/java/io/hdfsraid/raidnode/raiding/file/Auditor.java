// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.raiding.file;

import io.hdfsraid.blockfixer.placement.FilePlacement;
import io.hdfsraid.blockfixer.placement.PlacementAudit;
import io.hdfsraid.blockfixer.placement.UnitPlacement;
import io.hdfsraid.blockfixer.placement.UnsettledUnit;
import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.manifest.DataUnit;
import io.hdfsraid.drfs.namespace.LocatedFile;
import io.hdfsraid.drfs.namespace.NodeState;
import io.hdfsraid.drfs.parity.GroupId;
import io.hdfsraid.drfs.parity.ParityFile;
import io.hdfsraid.drfs.step.StepListener;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import io.hdfsraid.drfs.stripe.StripeLocator;
import io.hdfsraid.policies.Reason;
import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidnode.raiding.core.AwaitedReports;
import io.hdfsraid.raidnode.raiding.core.BlockHolders;
import io.hdfsraid.raidnode.raiding.core.ClusterAccess;
import io.hdfsraid.raidnode.raiding.core.ExcessReplicas;
import io.hdfsraid.raidnode.raiding.core.GroupMembers;
import io.hdfsraid.raidnode.raiding.core.LeftAlone;
import io.hdfsraid.raidnode.raiding.core.RaidOutcome;
import io.hdfsraid.raidnode.raiding.core.RaidStep;
import io.hdfsraid.raidnode.raiding.core.UnauditedStripes;
import io.hdfsraid.raidnode.raiding.core.UnitMoves;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Audits a reduced file or group, so that its stripes tolerate the losses that the codec promises.
 * The auditor moves units that share a node, then checks the sources once more. A stripe whose
 * excess replicas the NameNode has not yet dropped stays in its state until a later call. Stripes
 * that wait, or whose units must move, stay counted as unaudited. Other stripes do not wait for
 * them.
 */
public final class Auditor {
  private static final int ASKED_AT_ONCE = 50;

  private final ClusterAccess cluster;
  private final StripeLocator locator;
  private final PlacementAudit placement;
  private final UnitMoves moving;
  private final UnauditedStripes unaudited;
  private final Clock clock;
  private final StepListener steps;

  /**
   * Creates an auditor.
   *
   * @param unaudited the stripes that wait, with the excess replicas for which they do
   */
  public Auditor(
      ClusterAccess cluster,
      StripeLocator locator,
      PlacementAudit placement,
      UnitMoves moving,
      UnauditedStripes unaudited,
      Clock clock,
      StepListener steps) {
    this.cluster = cluster;
    this.locator = locator;
    this.placement = placement;
    this.moving = moving;
    this.unaudited = unaudited;
    this.clock = clock;
    this.steps = steps;
  }

  /** The caller holds the file and has seen that the source is as the manifest says. */
  public RaidOutcome audit(ParityFile parity, LocatedFile source) throws IOException {
    return audit(source.inode(), parity, Map.of(source.inode(), source));
  }

  /**
   * The caller holds the file or group and has seen that all members are as the manifest says.
   *
   * @param id of the parity
   * @param members all of them, by inode id
   */
  public RaidOutcome audit(long id, ParityFile parity, Map<Long, LocatedFile> members)
      throws IOException {
    List<UnitPlacement> found = look(parity, members, Set.of());
    Stay stay = whyExcessStays(parity, found);
    Optional<Held> held = stay.held();
    Set<Long> heldBlocks = held.map(Held::blocks).orElse(Set.of());
    if (held.isPresent()) {
      found = look(parity, members, heldBlocks);
    }
    int moved = 0;
    // Stripe by stripe: one that waits for its excess replicas holds up no other.
    List<UnitPlacement> wanted =
        found.stream().filter(place -> !place.moves().isEmpty() && !hasExcess(place)).toList();
    if (!wanted.isEmpty()) {
      moved = moving.carryOut(parity, wanted);
      found = lookAgain(id, parity, heldBlocks);
    }
    long unsettled =
        found.stream().filter(place -> hasExcess(place) || !place.moves().isEmpty()).count();
    if (unsettled > 0) {
      unaudited.found(id, Math.toIntExact(unsettled));
      unaudited.seen(id, excess(found, stay.awaitReports()));
      return RaidOutcome.at(FileState.REDUCED, waiting(found, stay.awaitReports()))
          .under(parity)
          .audited(moved, Optional.of(FilePlacement.of(found)));
    }
    Optional<RaidOutcome> left =
        stuck(found)
            .map(why -> RaidOutcome.at(FileState.REDUCED, why))
            .or(() -> held.map(Held::why).map(why -> RaidOutcome.left(FileState.REDUCED, why)));
    if (left.isPresent()) {
      // Waiting does not help stuck units, and units that a snapshot holds have more replicas than
      // they need. Neither may keep other files from being raided.
      unaudited.audited(id);
      return left.get().under(parity).audited(moved, Optional.of(FilePlacement.of(found)));
    }
    String subject = GroupId.isGroup(id) ? new GroupId(id).toString() : "inode " + id;
    steps.reached(RaidStep.SPREAD, subject);
    if (!GroupMembers.lookUp(cluster.namespace(), parity).isComplete()) {
      return RaidOutcome.at(FileState.REDUCED, "It changed during the audit; to be looked at again")
          .under(parity)
          .audited(moved, Optional.of(FilePlacement.of(found)));
    }
    unaudited.audited(id);
    steps.reached(RaidStep.RAIDED, subject);
    return RaidOutcome.at(FileState.RAIDED, leaving(found))
        .under(parity)
        .audited(moved, Optional.of(FilePlacement.of(found)));
  }

  private List<UnitPlacement> look(
      ParityFile parity, Map<Long, LocatedFile> members, Set<Long> held) throws IOException {
    List<NodeState> nodes = cluster.namespace().nodes();
    List<UnitPlacement> found = new ArrayList<>();
    for (LocatedStripe stripe : locator.locate(parity, members)) {
      found.add(
          placement.audit(
              stripe,
              parity.manifest().targetReplication(),
              parity.manifest().parityReplication(),
              held,
              nodes));
    }
    return found;
  }

  /**
   * Looks at the placement again. Units that are gone by now show as changed, and their placement
   * counts as wrong.
   */
  private List<UnitPlacement> lookAgain(long id, ParityFile parity, Set<Long> held)
      throws IOException {
    ParityFile now = cluster.parity().find(id).orElse(parity);
    return look(now, GroupMembers.lookUp(cluster.namespace(), now).living(), held);
  }

  /** Of stripes that are not settled: the NameNode is not done, or a move was put off. */
  private static String waiting(List<UnitPlacement> found, boolean awaitReports) {
    long units = unsettled(found, UnsettledUnit.Cause.EXCESS).size();
    return units > 0
        ? "%d units still have excess replicas%s"
            .formatted(units, awaitReports ? AwaitedReports.WHY : "")
        : found.stream()
            .flatMap(place -> place.moves().stream())
            .findFirst()
            .map("To be moved: %s"::formatted)
            .orElseThrow();
  }

  private static boolean hasExcess(UnitPlacement place) {
    return place.notSettled().stream().anyMatch(unit -> unit.cause() == UnsettledUnit.Cause.EXCESS);
  }

  private Optional<ExcessReplicas> excess(List<UnitPlacement> found, boolean awaitReports) {
    List<UnsettledUnit> units = unsettled(found, UnsettledUnit.Cause.EXCESS);
    return units.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new ExcessReplicas(
                clock.instant(),
                units.size(),
                units.stream()
                    .mapToLong(
                        unit -> unit.block().length() * (unit.nodes().size() - unit.expected()))
                    .sum(),
                awaitReports,
                units.stream()
                    .flatMap(unit -> unit.nodes().stream())
                    .distinct()
                    .limit(ExcessReplicas.MOST_NODES)
                    .collect(Collectors.toSet())));
  }

  /**
   * Why excess replicas are still there.
   *
   * @param held set if snapshots ask for all of them
   * @param awaitReports whether the NameNode has not heard of all of them since it became active
   */
  private record Stay(Optional<Held> held, boolean awaitReports) {}

  /**
   * Blocks of which snapshots ask for more replicas than their file does.
   *
   * @param why for a person
   */
  private record Held(Set<Long> blocks, LeftAlone why) {}

  /**
   * The replicas that are not dropped are not excess where a snapshot asks for them. Snapshots may
   * hold some members of a group, or some blocks of a file, and not the others: only when they hold
   * all that have excess replicas there is nothing to wait for.
   */
  private Stay whyExcessStays(ParityFile parity, List<UnitPlacement> found) throws IOException {
    Set<Block> data =
        parity.manifest().stripes().stream()
            .flatMap(stripe -> stripe.data().stream())
            .map(DataUnit::block)
            .collect(Collectors.toSet());
    List<Long> excess =
        unsettled(found, UnsettledUnit.Cause.EXCESS).stream()
            .filter(unit -> data.contains(unit.block()))
            .map(unit -> unit.block().id())
            .toList();
    if (excess.isEmpty()) {
      return new Stay(Optional.empty(), isStale(found));
    }
    // One first: most often the NameNode has just not dropped them yet.
    int most = 0;
    boolean awaitReports = false;
    for (int from = 0; from < excess.size(); ) {
      int until = from == 0 ? 1 : Math.min(excess.size(), from + ASKED_AT_ONCE);
      Map<Long, BlockHolders.Holder> holders =
          cluster.holders().holders(excess.subList(from, until));
      for (long block : excess.subList(from, until)) {
        Optional<BlockHolders.Holder> holder = Optional.ofNullable(holders.get(block));
        awaitReports |= holder.filter(its -> its.staleReplicas() > 0).isPresent();
        int expected = holder.map(BlockHolders.Holder::expectedReplicas).orElse(0);
        if (expected <= parity.manifest().targetReplication()) {
          return new Stay(Optional.empty(), awaitReports);
        }
        most = Math.max(most, expected);
      }
      from = until;
    }
    return new Stay(
        Optional.of(
            new Held(
                Set.copyOf(excess),
                new LeftAlone(
                    Reason.HELD_BY_SNAPSHOT,
                    "Snapshots keep up to %d replicas of %d of its blocks (blk_%d is one), which save nothing until they are deleted"
                        .formatted(most, excess.size(), excess.get(0))))),
        awaitReports);
  }

  /** Returns whether the NameNode waits for reports before it drops excess replicas of parity. */
  private boolean isStale(List<UnitPlacement> found) throws IOException {
    List<UnsettledUnit> units = unsettled(found, UnsettledUnit.Cause.EXCESS);
    return !units.isEmpty()
        && cluster.holders().holders(List.of(units.get(0).block().id())).values().stream()
            .anyMatch(holder -> holder.staleReplicas() > 0);
  }

  private static Optional<String> stuck(List<UnitPlacement> found) {
    return found.stream().flatMap(place -> place.stuck().stream()).findFirst();
  }

  /**
   * Describes the units on nodes that are leaving. They serve until the NameNode has copied them,
   * and a later audit checks the places that it chooses.
   */
  private static String leaving(List<UnitPlacement> found) {
    long units = unsettled(found, UnsettledUnit.Cause.LEAVING).size();
    return units == 0 ? "" : "%d units are on nodes that leave the cluster".formatted(units);
  }

  private static List<UnsettledUnit> unsettled(List<UnitPlacement> found, UnsettledUnit.Cause why) {
    return found.stream()
        .flatMap(place -> place.notSettled().stream())
        .filter(unit -> unit.cause() == why)
        .toList();
  }
}
