package io.hdfsraid.blockfixer.placement;

import io.hdfsraid.blockfixer.detect.BlockView;
import io.hdfsraid.blockfixer.placement.MoveOutcome.Moved;
import io.hdfsraid.blockfixer.placement.MoveOutcome.Postponed;
import io.hdfsraid.blockfixer.repair.Patience;
import io.hdfsraid.blockfixer.repair.StripesInWork;
import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.drfs.namespace.Fence;
import io.hdfsraid.drfs.step.StepListener;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Carries out moves, one at a time for each stripe, and waits until the NameNode agrees. */
public final class UnitMover {
  private final BlockMover mover;
  private final Fence fence;
  private final StripesInWork inWork;
  private final Patience patience;
  private final MoveSlots slots;
  private final RefusedMoves refused;
  private final ParityBytes parity;
  private final StepListener steps;

  /**
   * @param inWork shared with everything else that changes stripes
   * @param patience until the old replica is gone
   * @param refused is told what DataNodes refuse
   * @param parity is told where parity went
   */
  public UnitMover(
      BlockMover mover,
      Fence fence,
      StripesInWork inWork,
      Patience patience,
      MoveSlots slots,
      RefusedMoves refused,
      ParityBytes parity,
      StepListener steps) {
    this.mover = mover;
    this.fence = fence;
    this.inWork = inWork;
    this.patience = patience;
    this.slots = slots;
    this.refused = refused;
    this.parity = parity;
    this.steps = steps;
  }

  /**
   * Moves a unit, when there is a slot for it.
   *
   * @param blocks how the NameNode shows the blocks of this stripe
   * @throws IOException when the fence does not let it pass or the NameNode cannot be asked
   */
  public MoveOutcome move(LocatedStripe stripe, Move move, BlockView blocks) throws IOException {
    MoveSlots.Slot slot = slots.take(move.from().node(), move.to());
    try {
      Optional<StripesInWork.Claim> claim = inWork.claim(stripe);
      if (claim.isEmpty()) {
        return new Postponed(move, "Another task works on " + stripe);
      }
      try {
        return move(stripe, "unit %d of %s".formatted(move.unit(), stripe), move, blocks);
      } finally {
        claim.get().close();
      }
    } finally {
      slot.giveBack();
    }
  }

  private MoveOutcome move(LocatedStripe stripe, String subject, Move move, BlockView blocks)
      throws IOException {
    List<DataNode> now = inService(blocks.now(stripe, move.unit()));
    if (!now.equals(List.of(move.from().node()))) {
      return new Postponed(
          move,
          "%s was to be on %s alone, but the NameNode shows it on %s: audit the stripe again"
              .formatted(subject, move.from().node(), now));
    }
    fence.pass();
    try {
      mover.move(move.block(), move.from(), move.to());
    } catch (IOException e) {
      if (Thread.currentThread().isInterrupted()) {
        throw e;
      }
      String reason = "%s to %s: %s".formatted(move.from().node(), move.to(), e.getMessage());
      RefusedMoves.Refusal refusal = refused.refused(move.block(), reason);
      return new Postponed(
          move,
          "%s was not moved, for the %d. time; not before %s again: %s"
              .formatted(subject, refusal.times(), refusal.until(), reason));
    }
    refused.moved(move.block());
    if (stripe.codec().shape().isParity(move.unit())) {
      parity.moved(move.from().node(), move.to(), move.block().length());
    }
    steps.reached(MoveStep.COPIED, subject);
    List<DataNode> there = List.of(move.to());
    if (!patience.until(() -> inService(blocks.now(stripe, move.unit())).equals(there))) {
      return new Postponed(
          move,
          "%s has %s, but the NameNode does not show it there alone yet"
              .formatted(move.to(), subject));
    }
    steps.reached(MoveStep.SETTLED, subject);
    return new Moved(move);
  }

  /**
   * Where the block has replicas that stay. Empty also when it is not part of its file any more.
   */
  private static List<DataNode> inService(Optional<LocatedBlock> block) {
    return block
        .map(
            located ->
                located.live().stream().filter(Replica::inService).map(Replica::node).toList())
        .orElse(List.of());
  }
}
