package io.hdfsraid.raidnode.raid;

import io.hdfsraid.blockfixer.detect.BlockView;
import io.hdfsraid.blockfixer.detect.NameNodeBlockView;
import io.hdfsraid.blockfixer.placement.Move;
import io.hdfsraid.blockfixer.placement.MoveOutcome;
import io.hdfsraid.blockfixer.placement.NotSettled;
import io.hdfsraid.blockfixer.placement.Placement;
import io.hdfsraid.blockfixer.placement.PlacementAudit;
import io.hdfsraid.blockfixer.placement.Spread;
import io.hdfsraid.blockfixer.placement.UnitMover;
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
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Sees to it that a reduced file bears what its codec promises: waits (as a state, not in time)
 * until the NameNode has dropped the excess replicas, moves units that share a node, and looks at
 * the source once more.
 */
final class Auditor {
  private final ClusterAccess cluster;
  private final StripeLocator locator;
  private final PlacementAudit placement;
  private final UnitMover mover;
  private final ExecutorService moves;
  private final UnauditedStripes unaudited;
  private final StepListener steps;

  /**
   * An auditor.
   *
   * @param moves bounds how many units are moved at once
   */
  Auditor(
      ClusterAccess cluster,
      StripeLocator locator,
      PlacementAudit placement,
      UnitMover mover,
      ExecutorService moves,
      UnauditedStripes unaudited,
      StepListener steps) {
    this.cluster = cluster;
    this.locator = locator;
    this.placement = placement;
    this.mover = mover;
    this.moves = moves;
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
    int stripes = parity.manifest().stripes().size();
    List<Placement> found = look(parity, members);
    Optional<String> waiting = waiting(found);
    int moved = 0;
    if (waiting.isEmpty()) {
      List<Move> wanted = found.stream().flatMap(p -> p.moves().stream()).toList();
      if (!wanted.isEmpty()) {
        moved = carryOut(parity, found);
        found = lookAgain(id, parity);
        waiting = waiting(found);
      }
    }
    boolean settled = waiting.isEmpty();
    if (settled) {
      waiting = firstTrouble(found);
    }
    if (waiting.isPresent()) {
      Optional<LeftAlone> held = settled ? Optional.empty() : heldBySnapshot(parity, found);
      if (held.isPresent()) {
        // They bear more than they must, for as long as the snapshot lives.
        unaudited.audited(id);
        return Outcome.left(Stage.REDUCED, held.get())
            .under(parity)
            .audited(moved, Optional.of(Spread.of(found)));
      }
      if (settled) {
        // Nothing that more waiting would help: it must not keep the others from being raided.
        unaudited.audited(id);
      } else {
        unaudited.found(id, stripes);
      }
      return Outcome.at(Stage.REDUCED, waiting.get())
          .under(parity)
          .audited(moved, Optional.of(Spread.of(found)));
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

  private List<Placement> look(ParityFile parity, Map<Long, FileState> members) throws IOException {
    List<NodeState> nodes = cluster.namespace().nodes();
    List<Placement> found = new ArrayList<>();
    for (LocatedStripe stripe : locator.locate(parity, members)) {
      found.add(
          placement.audit(
              stripe,
              parity.manifest().targetReplication(),
              parity.manifest().parityReplication(),
              nodes));
    }
    return found;
  }

  /** What is gone meanwhile shows as changed units, with which no placement is sound. */
  private List<Placement> lookAgain(long id, ParityFile parity) throws IOException {
    ParityFile now = cluster.parity().find(id).orElse(parity);
    return look(now, Roll.call(cluster.namespace(), now).living());
  }

  private static Optional<String> waiting(List<Placement> found) {
    long units = units(found, NotSettled.Why.EXCESS);
    return units == 0
        ? Optional.empty()
        : Optional.of("%d units still have excess replicas".formatted(units));
  }

  /** The replicas that are not dropped are not excess where a snapshot asks for them. */
  private Optional<LeftAlone> heldBySnapshot(ParityFile parity, List<Placement> found)
      throws IOException {
    Set<Block> data =
        parity.manifest().stripes().stream()
            .flatMap(stripe -> stripe.data().stream())
            .map(DataUnit::block)
            .collect(Collectors.toSet());
    Optional<NotSettled> excess =
        found.stream()
            .flatMap(place -> place.notSettled().stream())
            .filter(unit -> unit.why() == NotSettled.Why.EXCESS && data.contains(unit.block()))
            .findFirst();
    if (excess.isEmpty()) {
      return Optional.empty();
    }
    long block = excess.get().block().id();
    // One block tells, for a snapshot holds all that the file had.
    int expected =
        Optional.ofNullable(cluster.holders().holders(Set.of(block)).get(block))
            .map(BlockHolders.Holder::expectedReplicas)
            .orElse(0);
    return expected <= parity.manifest().targetReplication()
        ? Optional.empty()
        : Optional.of(
            new LeftAlone(
                Reason.HELD_BY_SNAPSHOT,
                "A snapshot keeps %d replicas of blk_%d, so nothing is saved until it is deleted"
                    .formatted(expected, block)));
  }

  private static Optional<String> firstTrouble(List<Placement> found) {
    return found.stream()
        .flatMap(p -> Stream.concat(p.stuck().stream(), p.moves().stream().map(Move::toString)))
        .findFirst();
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

  /** Stripes side by side, the moves of one stripe one after another. */
  private int carryOut(ParityFile parity, List<Placement> found) throws IOException {
    BlockView blocks = new NameNodeBlockView(cluster.namespace(), parity);
    List<Callable<Integer>> tasks = new ArrayList<>();
    for (Placement place : found) {
      if (!place.moves().isEmpty()) {
        tasks.add(
            () -> {
              int moved = 0;
              for (Move move : place.moves()) {
                if (mover.move(place.stripe(), move, blocks) instanceof MoveOutcome.Moved) {
                  moved++;
                }
              }
              return moved;
            });
      }
    }
    int moved = 0;
    try {
      for (Future<Integer> done : moves.invokeAll(tasks)) {
        moved += done.get();
      }
    } catch (ExecutionException e) {
      throw new IOException("Moving a unit failed: " + e.getCause().getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("Interrupted while units were moved");
    }
    return moved;
  }
}
