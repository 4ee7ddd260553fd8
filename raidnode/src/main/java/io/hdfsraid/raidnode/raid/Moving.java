package io.hdfsraid.raidnode.raid;

import io.hdfsraid.blockfixer.detect.BlockView;
import io.hdfsraid.blockfixer.detect.NameNodeBlockView;
import io.hdfsraid.blockfixer.placement.Move;
import io.hdfsraid.blockfixer.placement.MoveOutcome;
import io.hdfsraid.blockfixer.placement.Placement;
import io.hdfsraid.blockfixer.placement.UnitMover;
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
 * Carries out the moves that audits want: stripes side by side, the moves of one stripe one after
 * another. Safe for concurrent use.
 */
final class Moving {
  private final Namespace namespace;
  private final UnitMover mover;
  private final ExecutorService threads;

  /**
   * @param threads bounds how many units are moved at once
   */
  Moving(Namespace namespace, UnitMover mover, ExecutorService threads) {
    this.namespace = namespace;
    this.mover = mover;
    this.threads = threads;
  }

  /**
   * Returns when all are done, or put off.
   *
   * @return how many units are where they should be now
   */
  int carryOut(ParityFile parity, List<Placement> wanted) throws IOException {
    BlockView blocks = new NameNodeBlockView(namespace, parity);
    List<Callable<Integer>> tasks = new ArrayList<>();
    for (Placement place : wanted) {
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
