// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.raiding.core;

import io.hdfsraid.blockfixer.detect.BlockLookup;
import io.hdfsraid.blockfixer.placement.MoveOutcome;
import io.hdfsraid.blockfixer.placement.UnitMove;
import io.hdfsraid.blockfixer.placement.UnitMover;
import io.hdfsraid.blockfixer.placement.UnitPlacement;
import io.hdfsraid.drfs.namespace.Namespace;
import io.hdfsraid.drfs.parity.ParityFile;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;

/**
 * Carries out the moves that audits request. Stripes are worked on in parallel, the moves of one
 * stripe one after another. Safe for concurrent use.
 */
public final class UnitMoves {
  private final Namespace namespace;
  private final UnitMover mover;
  private final ExecutorService threads;

  /**
   * @param threads bounds how many units are moved at once
   */
  public UnitMoves(Namespace namespace, UnitMover mover, ExecutorService threads) {
    this.namespace = namespace;
    this.mover = mover;
    this.threads = threads;
  }

  /**
   * Returns when all are done, or put off.
   *
   * @return how many units are where they should be now
   */
  public int carryOut(ParityFile parity, List<UnitPlacement> wanted) throws IOException {
    BlockLookup blocks = new BlockLookup(namespace, parity);
    List<Callable<Integer>> tasks = new ArrayList<>();
    for (UnitPlacement place : wanted) {
      tasks.add(
          () -> {
            int moved = 0;
            for (UnitMove move : place.moves()) {
              if (mover.move(place.stripe(), move, blocks) instanceof MoveOutcome.Moved) {
                moved++;
              }
            }
            return moved;
          });
    }
    int moved = 0;
    try {
      for (Future<Integer> done : threads.invokeAll(tasks)) {
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
