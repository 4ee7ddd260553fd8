package io.hdfsraid.blockfixer.placement;

import io.hdfsraid.drfs.block.DataNode;
import java.io.InterruptedIOException;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntSupplier;

/**
 * Bounds how many units are moved at once, the whole cluster's and each DataNode's, as source and
 * as target. A move waits until it has all it needs at once, so none holds a slot while it waits
 * for another. Both bounds may change at any time. Safe for concurrent use.
 */
public final class MoveSlots {
  /** A bound may have been raised meanwhile, of which nobody tells. */
  private static final long RECONSIDERED_AFTER_MILLIS = 1_000;

  private final IntSupplier most;
  private final IntSupplier mostPerNode;
  private final Map<DataNode, Integer> atNode = new HashMap<>();
  private int moving;

  /**
   * Slots.
   *
   * @param most moves at once
   * @param mostPerNode of which one DataNode takes part in
   */
  public MoveSlots(IntSupplier most, IntSupplier mostPerNode) {
    this.most = most;
    this.mostPerNode = mostPerNode;
  }

  /** Taken by a move that is under way. */
  @FunctionalInterface
  public interface Slot {
    void giveBack();
  }

  /** Waits for a slot for a move between these nodes. */
  public synchronized Slot take(DataNode from, DataNode to) throws InterruptedIOException {
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
