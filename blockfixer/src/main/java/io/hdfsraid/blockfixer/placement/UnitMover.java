// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.blockfixer.placement;

import io.hdfsraid.blockfixer.detect.BlockLookup;
import io.hdfsraid.blockfixer.placement.MoveOutcome.Moved;
import io.hdfsraid.blockfixer.placement.MoveOutcome.Postponed;
import io.hdfsraid.blockfixer.repair.Polling;
import io.hdfsraid.blockfixer.repair.StripeClaims;
import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.drfs.namespace.Fence;
import io.hdfsraid.drfs.step.StepListener;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * Carries out moves, one at a time for each stripe, and waits until the NameNode lists the result.
 */
public final class UnitMover {
  private final BlockMover mover;
  private final Fence fence;
  private final StripeClaims claims;
  private final Polling polling;
  private final MoveSlots slots;
  private final RefusedMoves refused;
  private final ParityBytes parity;
  private final StepListener steps;

  /**
   * @param claims shared with all tasks that change stripes
   * @param polling how to wait until the old replica is gone
   * @param refused records refused moves
   * @param parity records moved parity
   */
  public UnitMover(
      BlockMover mover,
      Fence fence,
      StripeClaims claims,
      Polling polling,
      MoveSlots slots,
      RefusedMoves refused,
      ParityBytes parity,
      StepListener steps) {
    this.mover = mover;
    this.fence = fence;
    this.claims = claims;
    this.polling = polling;
    this.slots = slots;
    this.refused = refused;
    this.parity = parity;
    this.steps = steps;
  }

  /**
   * Moves a unit; waits for a slot first.
   *
   * @param blocks looks up the blocks of this stripe at the NameNode
   * @throws IOException if the fence cannot be passed or the NameNode does not answer
   */
  public MoveOutcome move(LocatedStripe stripe, UnitMove move, BlockLookup blocks)
      throws IOException {
    MoveSlots.Permit slot = slots.take(move.from().node(), move.to());
    try {
      Optional<StripeClaims.Claim> claim = claims.claim(stripe);
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

  private MoveOutcome move(LocatedStripe stripe, String subject, UnitMove move, BlockLookup blocks)
      throws IOException {
    List<DataNode> now = inService(blocks.now(stripe, move.unit()));
    if (!now.equals(List.of(move.from().node()))) {
      return new Postponed(
          move,
          "%s should be on %s alone, but the NameNode lists it on %s: audit the stripe again"
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
          "%s was not moved (attempt %d); next attempt not before %s: %s"
              .formatted(subject, refusal.times(), refusal.until(), reason));
    }
    refused.moved(move.block());
    if (stripe.codec().shape().isParity(move.unit())) {
      parity.moved(move.from().node(), move.to(), move.block().length());
    }
    steps.reached(MoveStep.COPIED, subject);
    List<DataNode> there = List.of(move.to());
    if (!polling.until(() -> inService(blocks.now(stripe, move.unit())).equals(there))) {
      return new Postponed(
          move,
          "%s has %s, but the NameNode does not list it there alone yet"
              .formatted(move.to(), subject));
    }
    steps.reached(MoveStep.SETTLED, subject);
    return new Moved(move);
  }

  /**
   * Returns the nodes in service that hold the block. Also empty if the block is no longer part of
   * its file.
   */
  private static List<DataNode> inService(Optional<LocatedBlock> block) {
    return block
        .map(
            located ->
                located.live().stream().filter(Replica::inService).map(Replica::node).toList())
        .orElse(List.of());
  }
}
