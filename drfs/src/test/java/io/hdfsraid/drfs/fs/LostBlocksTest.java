// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.fs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsraid.drfs.block.Block;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LostBlocksTest {
  private static final LostBlock.Owner OWNER =
      new LostBlock.Owner(16_400, new Block(1_073_741_825, 1_001, 64 << 10));
  private static final int LENGTH = 1_000;

  private final LostBlocks blocks = new LostBlocks(2, new ReadRetryPolicy(60_000, 0, 60_000));

  private static LocatedBlock located(long id, long stamp, long start) {
    LocatedBlock block =
        new LocatedBlock(new ExtendedBlock("pool", id, LENGTH, stamp), new DatanodeInfo[0]);
    block.setStartOffset(start);
    return block;
  }

  private static LostBlock rebuilt() {
    LostBlock lost = lost(0);
    lost.markRebuilt();
    return lost;
  }

  private static LostBlock lost(long start) {
    return new LostBlock(
        OWNER,
        start,
        LENGTH,
        new LostBlock.Contents() {
          @Override
          public void read(long offset, ByteBuffer target) {
            throw new AssertionError("not read here");
          }

          @Override
          public int rowBytes() {
            return LENGTH;
          }
        });
  }

  private static void add(LostBlocks to, String path, LocatedBlock block, LostBlock lost)
      throws IOException {
    assertThat(to.getOrFind(path, block, () -> Optional.of(lost))).contains(lost);
  }

  @Test
  void aBlockIsKnownAtItsPlaceAndGenerationOnly() throws IOException {
    LostBlock lost = lost(0);
    add(blocks, "/f", located(1, 1001, 0), lost);
    assertThat(blocks.get("/f", located(1, 1001, 0))).contains(lost);
    assertThat(blocks.get("/f", located(1, 1002, 0))).as("rewritten").isEmpty();
    assertThat(blocks.get("/f", located(1, 1001, LENGTH))).as("behind another").isEmpty();
    assertThat(blocks.get("/g", located(1, 1001, 0))).as("of another file").isEmpty();
    assertThat(blocks.of("/f")).as("only looked up").isEmpty();
    lost.markRebuilt();
    assertThat(blocks.of("/f")).containsExactly(lost);
    assertThat(blocks.of("/g")).isEmpty();
    blocks.forget(lost);
    assertThat(blocks.of("/f")).isEmpty();
  }

  @Test
  void aBlockWithoutParityIsNotSearchedForAgainAtOnce() throws IOException {
    AtomicInteger searches = new AtomicInteger();
    LostBlocks.Search none =
        () -> {
          searches.incrementAndGet();
          return Optional.empty();
        };
    for (int i = 0; i < 10; i++) {
      assertThat(blocks.getOrFind("/f", located(1, 1001, 0), none)).isEmpty();
    }
    assertThat(searches).hasValue(1);
    add(blocks, "/f", located(1, 1002, 0), lost(0));
    LostBlocks forgetful = new LostBlocks(2, new ReadRetryPolicy(0, 0, 0));
    for (int i = 0; i < 10; i++) {
      assertThat(forgetful.getOrFind("/f", located(1, 1001, 0), none)).isEmpty();
    }
    assertThat(searches).hasValue(11);
  }

  /** It has the type of an interrupt. */
  @Test
  void aTimeoutOfOneReaderIsNotWaitedForByTheNextOneAgain() throws Exception {
    LocatedBlock block = located(1, 1001, 0);
    AtomicInteger searches = new AtomicInteger();
    CountDownLatch searching = new CountDownLatch(1);
    CountDownLatch answered = new CountDownLatch(1);
    ExecutorService readers = Executors.newCachedThreadPool();
    try {
      LostBlocks.Search late =
          () -> {
            searches.incrementAndGet();
            searching.countDown();
            awaitUnchecked(answered);
            throw new SocketTimeoutException("the NameNode does not answer");
          };
      Future<Optional<LostBlock>> first = readers.submit(() -> blocks.getOrFind("/f", block, late));
      searching.await();
      Future<Optional<LostBlock>> second =
          waiting(readers, () -> blocks.getOrFind("/f", block, late));
      answered.countDown();
      assertThatThrownBy(first::get).hasCauseInstanceOf(SocketTimeoutException.class);
      assertThatThrownBy(second::get).hasRootCauseInstanceOf(SocketTimeoutException.class);
      assertThat(searches).hasValue(1);
    } finally {
      readers.shutdownNow();
    }
  }

  @Test
  void theLeastRecentlyUsedIsForgotten() throws IOException {
    add(blocks, "/a", located(1, 1, 0), rebuilt());
    add(blocks, "/b", located(2, 1, 0), rebuilt());
    assertThat(blocks.get("/a", located(1, 1, 0))).isPresent();
    add(blocks, "/c", located(3, 1, 0), rebuilt());
    assertThat(blocks.of("/a")).isNotEmpty();
    assertThat(blocks.of("/b")).isEmpty();
    assertThat(blocks.of("/c")).isNotEmpty();
  }

  @Test
  void whatIsNotBelievedAnyMoreIsForgotten() throws IOException {
    LostBlocks shortly = new LostBlocks(2, new ReadRetryPolicy(0, 0, 0));
    add(shortly, "/f", located(1, 1, 0), rebuilt());
    assertThat(shortly.get("/f", located(1, 1, 0))).isEmpty();
    assertThat(shortly.of("/f")).isEmpty();
  }

  @Test
  void manyReadersOfABlockSearchForItOnce() throws Exception {
    LocatedBlock block = located(1, 1001, 0);
    AtomicInteger searches = new AtomicInteger();
    CountDownLatch searching = new CountDownLatch(1);
    CountDownLatch answered = new CountDownLatch(1);
    ExecutorService readers = Executors.newCachedThreadPool();
    try {
      LostBlocks.Search slow =
          () -> {
            searches.incrementAndGet();
            searching.countDown();
            awaitUnchecked(answered);
            return Optional.of(lost(0));
          };
      Future<Optional<LostBlock>> first = readers.submit(() -> blocks.getOrFind("/f", block, slow));
      searching.await();
      Future<Optional<LostBlock>> second =
          waiting(readers, () -> blocks.getOrFind("/f", block, slow));
      answered.countDown();
      assertThat(second.get()).isEqualTo(first.get()).isPresent();
      assertThat(searches).hasValue(1);
    } finally {
      readers.shutdownNow();
    }
  }

  @Test
  void whoIsInterruptedDoesNotWaitForTheSearchOfAnother() throws Exception {
    LocatedBlock block = located(1, 1001, 0);
    CountDownLatch searching = new CountDownLatch(1);
    CountDownLatch answered = new CountDownLatch(1);
    ExecutorService readers = Executors.newCachedThreadPool();
    try {
      Future<Optional<LostBlock>> first =
          readers.submit(
              () ->
                  blocks.getOrFind(
                      "/f",
                      block,
                      () -> {
                        searching.countDown();
                        awaitUnchecked(answered);
                        return Optional.empty();
                      }));
      searching.await();
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> blocks.getOrFind("/f", block, Optional::empty))
          .isInstanceOf(InterruptedIOException.class);
      assertThat(Thread.interrupted()).isTrue();
      answered.countDown();
      assertThat(first.get()).isEmpty();
    } finally {
      readers.shutdownNow();
    }
  }

  /** Submits the task, and returns when it waits. */
  private static <T> Future<T> waiting(ExecutorService threads, Callable<T> task) {
    AtomicReference<Thread> worker = new AtomicReference<>();
    Future<T> submitted =
        threads.submit(
            () -> {
              worker.set(Thread.currentThread());
              return task.call();
            });
    while (worker.get() == null || worker.get().getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
    return submitted;
  }

  private static void awaitUnchecked(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
