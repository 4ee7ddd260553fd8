// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.traffic;

import io.hdfsraid.drfs.block.DataNode;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Limits how many streams of each DataNode carry bytes at the same time. A stream holds its place
 * for one piece and waits only for its DataNode meanwhile. Otherwise two stripes, which each need
 * all their streams, could wait for each other for ever. Safe for concurrent use.
 */
final class Streams {
  // Both guarded by this.
  private final Map<DataNode, Integer> busy = new HashMap<>();
  private int most;

  Streams(int most) {
    this.most = most;
  }

  /** A transfer that needs places at DataNodes. */
  @FunctionalInterface
  interface Transfer {
    void run() throws IOException;
  }

  synchronized void set(int streams) {
    most = streams;
    notifyAll();
  }

  /**
   * Waits for a place at the node, transfers, and gives it back.
   *
   * @throws InterruptedIOException when interrupted while waiting; the thread's flag is set
   */
  void during(DataNode node, Transfer transfer) throws IOException {
    enter(node);
    try {
      transfer.run();
    } finally {
      leave(node);
    }
  }

  /**
   * Runs a transfer with a stream at each of two nodes. All threads take the two in the same order,
   * so there is no deadlock.
   */
  void during(DataNode one, DataNode other, Transfer transfer) throws IOException {
    List<DataNode> inOrder =
        one.uuid().compareTo(other.uuid()) < 0 ? List.of(one, other) : List.of(other, one);
    during(inOrder.get(0), () -> during(inOrder.get(1), transfer));
  }

  private synchronized void enter(DataNode node) throws InterruptedIOException {
    try {
      while (busy.getOrDefault(node, 0) >= most) {
        wait();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (InterruptedIOException)
          new InterruptedIOException("Interrupted while waiting for a stream of " + node)
              .initCause(e);
    }
    busy.merge(node, 1, Integer::sum);
  }

  private synchronized void leave(DataNode node) {
    busy.computeIfPresent(node, (key, streams) -> streams == 1 ? null : streams - 1);
    notifyAll();
  }
}
