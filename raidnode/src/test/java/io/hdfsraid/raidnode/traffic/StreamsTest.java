// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.drfs.block.DataNode;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class StreamsTest {
  private static final DataNode A = new DataNode("a", "10.0.0.1:9866", "a", "/r");
  private static final DataNode B = new DataNode("b", "10.0.0.2:9866", "b", "/r");

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final Map<DataNode, AtomicInteger> now = new ConcurrentHashMap<>();
  private final Map<DataNode, Integer> most = new ConcurrentHashMap<>();

  @AfterEach
  void stop() {
    threads.shutdownNow();
  }

  private void transfer(DataNode node) {
    int streams = now.computeIfAbsent(node, key -> new AtomicInteger()).incrementAndGet();
    most.merge(node, streams, Math::max);
    for (int i = 0; i < 1_000; i++) {
      Thread.onSpinWait(); // long enough for others to be there at the same time
    }
    now.get(node).decrementAndGet();
  }

  private CompletableFuture<Void> run(Streams.Transfer transfer) {
    return CompletableFuture.runAsync(
        () -> {
          try {
            transfer.run();
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        },
        threads);
  }

  @Test
  void noNodeHasMoreStreamsThanItMay() {
    Streams streams = new Streams(3);
    List<CompletableFuture<Void>> running = new ArrayList<>();
    for (int i = 0; i < 2_000; i++) {
      DataNode node = i % 2 == 0 ? A : B;
      running.add(run(() -> streams.during(node, () -> transfer(node))));
    }
    running.forEach(CompletableFuture::join);
    assertThat(most).allSatisfy((node, streamsAtOnce) -> assertThat(streamsAtOnce).isBetween(1, 3));
  }

  @Test
  void aNodeThatHangsKeepsNobodyFromOthers() throws Exception {
    Streams streams = new Streams(1);
    CountDownLatch hanging = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    CompletableFuture<Void> hung =
        run(
            () ->
                streams.during(
                    A,
                    () -> {
                      hanging.countDown();
                      await(end);
                    }));
    hanging.await();
    CompletableFuture<Void> behind = run(() -> streams.during(A, () -> {}));
    run(() -> streams.during(B, () -> {})).join();
    assertThat(behind).isNotDone();
    end.countDown();
    hung.join();
    behind.join();
  }

  @Test
  void moreStreamsLetWhoWaitsPass() throws Exception {
    Streams streams = new Streams(1);
    CountDownLatch hanging = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    CompletableFuture<Void> hung =
        run(
            () ->
                streams.during(
                    A,
                    () -> {
                      hanging.countDown();
                      await(end);
                    }));
    hanging.await();
    CompletableFuture<Void> behind = run(() -> streams.during(A, () -> {}));
    streams.set(2);
    behind.join();
    end.countDown();
    hung.join();
  }

  /** Each needs both nodes; taken in any order, two of them would wait for one another for ever. */
  @Test
  void movesInOppositeDirectionsDoNotBlockOneAnother() {
    Streams streams = new Streams(1);
    List<CompletableFuture<Void>> running = new ArrayList<>();
    for (int i = 0; i < 2_000; i++) {
      DataNode from = i % 2 == 0 ? A : B;
      DataNode to = i % 2 == 0 ? B : A;
      running.add(run(() -> streams.during(from, to, () -> transfer(from))));
    }
    running.forEach(CompletableFuture::join);
    assertThat(most.keySet()).containsExactlyInAnyOrder(A, B);
  }

  private static void await(CountDownLatch latch) throws IOException {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (InterruptedIOException) new InterruptedIOException().initCause(e);
    }
  }
}
