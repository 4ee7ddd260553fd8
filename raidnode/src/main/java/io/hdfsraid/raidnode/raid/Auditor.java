package io.hdfsraid.raidnode.raid;

import io.hdfsraid.blockfixer.placement.NotSettled;
import io.hdfsraid.blockfixer.placement.Placement;
import io.hdfsraid.blockfixer.placement.PlacementAudit;
import io.hdfsraid.blockfixer.placement.Spread;
import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.manifest.DataUnit;
import io.hdfsraid.drfs.namespace.FileState;
import io.hdfsraid.drfs.namespace.NodeState;
import io.hdfsraid.drfs.parity.GroupId;
import io.hdfsraid.drfs.parity.ParityFile;
import io.hdfsraid.drfs.step.StepListener;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import io.hdfsraid.drfs.stripe.StripeLocator;
import io.hdfsraid.policies.Reason;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Sees to it that a reduced file, or group of files, bears what its codec promises: waits (as a
 * state, not in time) until the NameNode has dropped the excess replicas of a stripe, moves its
 * units that share a node, and looks at the sources once more. Stripes that wait, or that are to be
 * moved, stay counted as unaudited; others do not wait for them.
 */
final class Auditor {
  private static final int ASKED_AT_ONCE = 50;

  private final ClusterAccess cluster;
  private final StripeLocator locator;
  private final PlacementAudit placement;
  private final Moving moving;
  private final UnauditedStripes unaudited;
  private final StepListener steps;

  Auditor(
      ClusterAccess cluster,
      StripeLocator locator,
      PlacementAudit placement,
      Moving moving,
      UnauditedStripes unaudited,
      StepListener steps) {
    this.cluster = cluster;
    this.locator = locator;
    this.placement = placement;
    this.moving = moving;
    this.unaudited = unaudited;
    this.steps = steps;
  }

  /** The caller holds the file and has seen that the source is as the manifest says. */
  Outcome audit(ParityFile parity, FileState source) throws IOException {
    return audit(source.inode(), parity, Map.of(source.inode(), source));
  }

  /**
   * The caller holds the file or group and has seen that all members are as the manifest says.
   *
   * @param id of the parity
   * @param members all of them, by inode id
   */
  Outcome audit(long id, ParityFile parity, Map<Long, FileState> members) throws IOException {
    List<Placement> found = look(parity, members, Set.of());
    Optional<Held> held = heldBySnapshots(parity, found);
    Set<Long> heldBlocks = held.map(Held::blocks).orElse(Set.of());
    if (held.isPresent()) {
      found = look(parity, members, heldBlocks);
    }
    int moved = 0;
    // Stripe by stripe: one that waits for its excess replicas holds up no other.
    List<Placement> wanted =
        found.stream().filter(place -> !place.moves().isEmpty() && !hasExcess(place)).toList();
    if (!wanted.isEmpty()) {
      moved = moving.carryOut(parity, wanted);
      found = lookAgain(id, parity, heldBlocks);
    }
    long unsettled =
        found.stream().filter(place -> hasExcess(place) || !place.moves().isEmpty()).count();
    if (unsettled > 0) {
      unaudited.found(id, Math.toIntExact(unsettled));
      return Outcome.at(Stage.REDUCED, waiting(found))
          .under(parity)
          .audited(moved, Optional.of(Spread.of(found)));
    }
    Optional<Outcome> left =
        stuck(found)
            .map(why -> Outcome.at(Stage.REDUCED, why))
            .or(() -> held.map(Held::why).map(why -> Outcome.left(Stage.REDUCED, why)));
    if (left.isPresent()) {
      // What is stuck no waiting helps, and what a snapshot holds bears more than it must: neither
      // may keep others from being raided.
      unaudited.audited(id);
      return left.get().under(parity).audited(moved, Optional.of(Spread.of(found)));
    }
    String subject = GroupId.isGroup(id) ? new GroupId(id).toString() : "inode " + id;
    steps.reached(RaidStep.SPREAD, subject);
    if (!Roll.call(cluster.namespace(), parity).isComplete()) {
      return Outcome.at(Stage.REDUCED, "It changed during the audit; to be looked at again")
          .under(parity)
          .audited(moved, Optional.of(Spread.of(found)));
    }
    unaudited.audited(id);
    steps.reached(RaidStep.RAIDED, subject);
    return Outcome.at(Stage.RAIDED, leaving(found))
        .under(parity)
        .audited(moved, Optional.of(Spread.of(found)));
  }

  private List<Placement> look(ParityFile parity, Map<Long, FileState> members, Set<Long> held)
      throws IOException {
    List<NodeState> nodes = cluster.namespace().nodes();
    List<Placement> found = new ArrayList<>();
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

  /** What is gone meanwhile shows as changed units, with which no placement is sound. */
  private List<Placement> lookAgain(long id, ParityFile parity, Set<Long> held) throws IOException {
    ParityFile now = cluster.parity().find(id).orElse(parity);
    return look(now, Roll.call(cluster.namespace(), now).living(), held);
  }

  /** Of stripes that are not settled: the NameNode is not done, or a move was put off. */
  private static String waiting(List<Placement> found) {
    long units = units(found, NotSettled.Why.EXCESS);
    return units > 0
        ? "%d units still have excess replicas".formatted(units)
        : found.stream()
            .flatMap(place -> place.moves().stream())
            .findFirst()
            .map("To be moved: %s"::formatted)
            .orElseThrow();
  }

  private static boolean hasExcess(Placement place) {
    return place.notSettled().stream().anyMatch(unit -> unit.why() == NotSettled.Why.EXCESS);
  }

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
  private Optional<Held> heldBySnapshots(ParityFile parity, List<Placement> found)
      throws IOException {
    Set<Block> data =
        parity.manifest().stripes().stream()
            .flatMap(stripe -> stripe.data().stream())
            .map(DataUnit::block)
            .collect(Collectors.toSet());
    List<Long> excess =
        found.stream()
            .flatMap(place -> place.notSettled().stream())
            .filter(unit -> unit.why() == NotSettled.Why.EXCESS && data.contains(unit.block()))
            .map(unit -> unit.block().id())
            .toList();
    if (excess.isEmpty()) {
      return Optional.empty();
    }
    // One first: most often the NameNode has just not dropped them yet.
    int most = 0;
    for (int from = 0; from < excess.size(); ) {
      int until = from == 0 ? 1 : Math.min(excess.size(), from + ASKED_AT_ONCE);
      Map<Long, BlockHolders.Holder> holders =
          cluster.holders().holders(excess.subList(from, until));
      for (long block : excess.subList(from, until)) {
        int expected =
            Optional.ofNullable(holders.get(block))
                .map(BlockHolders.Holder::expectedReplicas)
                .orElse(0);
        if (expected <= parity.manifest().targetReplication()) {
          return Optional.empty();
        }
        most = Math.max(most, expected);
      }
      from = until;
    }
    return Optional.of(
        new Held(
            Set.copyOf(excess),
            new LeftAlone(
                Reason.HELD_BY_SNAPSHOT,
                "Snapshots keep up to %d replicas of %d of its blocks (blk_%d is one), which save nothing until they are deleted"
                    .formatted(most, excess.size(), excess.get(0)))));
  }

  private static Optional<String> stuck(List<Placement> found) {
    return found.stream().flatMap(place -> place.stuck().stream()).findFirst();
  }

  /** They serve until the NameNode has copied them; what it chooses, a later audit looks at. */
  private static String leaving(List<Placement> found) {
    long units = units(found, NotSettled.Why.LEAVING);
    return units == 0 ? "" : "%d units are on nodes that leave the cluster".formatted(units);
  }

  private static long units(List<Placement> found, NotSettled.Why why) {
    return found.stream()
        .flatMap(p -> p.notSettled().stream())
        .filter(unit -> unit.why() == why)
        .count();
  }
}
