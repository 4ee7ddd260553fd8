// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.blockfixer.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsraid.drfs.block.DataNode;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class MoveSlotsTest {
  private static DataNode node(int i) {
    return new DataNode("dn-" + i, "10.0.0.%d:9866".formatted(i), "node" + i, "/rack");
  }

  @Test
  void neitherTheClusterNorANodeHasMoreMovesThanItMay() throws Exception {
    AtomicInteger most = new AtomicInteger(4);
    MoveSlots slots = new MoveSlots(most::get, () -> 2);
    Map<DataNode, Integer> atNode = new HashMap<>();
    AtomicInteger moving = new AtomicInteger();
    ExecutorService threads = Executors.newFixedThreadPool(12);
    List<Callable<Void>> moves = new ArrayList<>();
    Random random = new Random(1);
    for (int i = 0; i < 300; i++) {
      DataNode from = node(random.nextInt(3));
      DataNode to = node(3 + random.nextInt(3));
      moves.add(
          () -> {
            MoveSlots.Permit slot = slots.take(from, to);
            assertThat(moving.incrementAndGet()).isLessThanOrEqualTo(4);
            synchronized (atNode) {
              assertThat(atNode.merge(from, 1, Integer::sum)).isLessThanOrEqualTo(2);
              assertThat(atNode.merge(to, 1, Integer::sum)).isLessThanOrEqualTo(2);
            }
            synchronized (atNode) {
              atNode.merge(from, -1, Integer::sum);
              atNode.merge(to, -1, Integer::sum);
            }
            moving.decrementAndGet();
            slot.giveBack();
            return null;
          });
    }
    for (Future<Void> each : threads.invokeAll(moves)) {
      each.get();
    }
    threads.shutdown();
  }

  @Test
  void aBoundThatIsRaisedLetsWaitingMovesPassAndOneThatWaitsCanBeInterrupted() throws Exception {
    AtomicInteger most = new AtomicInteger(1);
    MoveSlots slots = new MoveSlots(most::get, () -> 9);
    MoveSlots.Permit held = slots.take(node(1), node(2));
    ExecutorService threads = Executors.newFixedThreadPool(1);
    Future<MoveSlots.Permit> waiting = threads.submit(() -> slots.take(node(1), node(2)));
    most.set(2);
    waiting.get().giveBack();

    Thread.currentThread().interrupt();
    most.set(1);
    assertThatThrownBy(() -> slots.take(node(3), node(4)))
        .isInstanceOf(InterruptedIOException.class);
    assertThat(Thread.interrupted()).isTrue();
    held.giveBack();
    threads.shutdown();
  }
}
