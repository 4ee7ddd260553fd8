// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.blockfixer.placement;

import io.hdfsraid.drfs.block.DataNode;
import java.io.InterruptedIOException;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntSupplier;

/**
 * Limits how many units are moved at the same time, in the cluster and for each DataNode as source
 * or target. A move waits until all its slots are free, so it never holds a slot while it waits for
 * another. Both limits may change at any time. Safe for concurrent use.
 */
public final class MoveSlots {
  /** A limit may be raised without notice, so waiting moves check again. */
  private static final long RECONSIDERED_AFTER_MILLIS = 1_000;

  private final IntSupplier most;
  private final IntSupplier mostPerNode;
  private final Map<DataNode, Integer> atNode = new HashMap<>();
  private int moving;

  /**
   * Creates the slots.
   *
   * @param most maximum number of moves at the same time
   * @param mostPerNode maximum number of moves in which one DataNode takes part
   */
  public MoveSlots(IntSupplier most, IntSupplier mostPerNode) {
    this.most = most;
    this.mostPerNode = mostPerNode;
  }

  /** The slots of a move in progress. */
  @FunctionalInterface
  public interface Permit {
    void giveBack();
  }

  /** Waits for the slots of a move between these nodes. */
  public synchronized Permit take(DataNode from, DataNode to) throws InterruptedIOException {
    try {
      while (moving >= most.getAsInt() || isBusy(from) || isBusy(to)) {
        wait(RECONSIDERED_AFTER_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("Interrupted while waiting to move a unit");
    }
    moving++;
    atNode.merge(from, 1, Integer::sum);
    atNode.merge(to, 1, Integer::sum);
    return () -> giveBack(from, to);
  }

  private boolean isBusy(DataNode node) {
    return atNode.getOrDefault(node, 0) >= mostPerNode.getAsInt();
  }

  private synchronized void giveBack(DataNode from, DataNode to) {
    moving--;
    leave(from);
    leave(to);
    notifyAll();
  }

  private void leave(DataNode node) {
    atNode.computeIfPresent(node, (none, count) -> count == 1 ? null : count - 1);
  }
}
