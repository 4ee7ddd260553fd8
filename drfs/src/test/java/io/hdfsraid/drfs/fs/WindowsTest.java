// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.fs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.stripe.RowMemory;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class WindowsTest {
  private static final int WINDOW = 64 << 10;
  private static final LostBlock.Owner OWNER =
      new LostBlock.Owner(16_400, new Block(1_073_741_825, 1_001, 64 << 10));
  private static final long START = 1 << 20;

  private final ExecutorService executor = Executors.newCachedThreadPool();
  private final RowMemory memory = new RowMemory(WINDOW);
  private final AtomicLong nanos = new AtomicLong();
  private final WindowMemory shared = new WindowMemory(memory, nanos::get);
  private final Windows windows = stream();
  private final CountDownLatch never = new CountDownLatch(1);

  @AfterEach
  void stop() {
    executor.shutdownNow();
  }

  private Windows stream() {
    return new Windows(executor, shared, nanos::get);
  }

  private interface Rebuild {
    void into(ByteBuffer target) throws IOException;
  }

  private static LostBlock block(Rebuild rebuild) {
    return new LostBlock(
        OWNER,
        START,
        3 * WINDOW,
        new LostBlock.Contents() {
          @Override
          public void read(long offset, ByteBuffer target) throws IOException {
            rebuild.into(target);
          }

          @Override
          public int rowBytes() {
            return WINDOW;
          }
        });
  }

  private static void ones(ByteBuffer target) {
    while (target.hasRemaining()) {
      target.put((byte) 1);
    }
  }

  private boolean memoryIsFree() {
    Optional<RowMemory.Lease> lease = memory.spare(WINDOW);
    lease.ifPresent(RowMemory.Lease::close);
    return lease.isPresent();
  }

  private void hang(ByteBuffer target) throws IOException {
    try {
      never.await();
    } catch (InterruptedException e) {
      throw new InterruptedIOException();
    }
  }

  @Test
  void theWindowIsThereForWhoGoesOn() throws IOException {
    LostBlock block = block(WindowsTest::ones);
    windows.begin(block, START + WINDOW, WINDOW);
    assertThat(memoryIsFree()).isFalse();
    LostBlock.Window window = windows.next(block, START + WINDOW).orElseThrow();
    assertThat(window.start()).isEqualTo(START + WINDOW);
    assertThat(window.end()).isEqualTo(START + 2 * WINDOW);
    assertThat(window.bytes().get(WINDOW - 1)).isEqualTo((byte) 1);
    assertThat(memoryIsFree()).as("the window is being read").isFalse();
    assertThat(windows.current(block, START + WINDOW)).contains(window);
    assertThat(windows.next(block, START + 2 * WINDOW)).as("once").isEmpty();
    windows.drop();
    assertThat(memoryIsFree()).isTrue();
  }

  @Test
  void whoGoesElsewhereDoesNotWait() throws IOException {
    LostBlock block = block(this::hang);
    windows.begin(block, START + WINDOW, WINDOW);
    assertThat(windows.next(block, START)).isEmpty();
    assertThat(memoryIsFree()).isTrue();
    windows.begin(block, START + WINDOW, WINDOW);
    assertThat(windows.next(block(this::hang), START + WINDOW)).as("another block").isEmpty();
    windows.begin(block, START + WINDOW, WINDOW);
    windows.cancel();
    assertThat(memoryIsFree()).isTrue();
  }

  @Test
  void nothingIsRebuiltWithoutMemoryOrBehindTheBlock() throws IOException {
    LostBlock block = block(WindowsTest::ones);
    windows.begin(block, START + 3 * WINDOW, WINDOW);
    assertThat(memoryIsFree()).isTrue();
    assertThat(memory.spare(WINDOW)).isPresent(); // and kept
    windows.begin(block, START + WINDOW, WINDOW);
    assertThat(windows.next(block, START + WINDOW)).isEmpty();
  }

  @Test
  void whatIsKeptIsCountedAndWithoutMemoryNoMoreIsRebuiltThanWanted() throws IOException {
    LostBlock block = block(WindowsTest::ones);
    assertThat(windows.rebuild(Windows.Reader.SEQUENTIAL, block, START, 1, WINDOW, WINDOW).end())
        .isEqualTo(START + WINDOW);
    assertThat(memoryIsFree()).isFalse();
    Windows others = stream();
    int wanted = LostBlock.SMALLEST_WINDOW + 1;
    LostBlock.Window small =
        others.rebuild(Windows.Reader.SEQUENTIAL, block, START, wanted, WINDOW, WINDOW);
    assertThat(small.end()).isEqualTo(START + wanted);
    assertThat(others.current(block, START + wanted - 1)).contains(small);
    assertThat(others.current(block, START + wanted)).isEmpty();
    assertThat(others.current(block(WindowsTest::ones), START)).as("another block").isEmpty();
    others.close();
    assertThat(memoryIsFree()).isFalse();
    windows.close();
    assertThat(memoryIsFree()).isTrue();
    windows.rebuild(Windows.Reader.SEQUENTIAL, block, START, 1, WINDOW, WINDOW);
    assertThat(windows.current(block, START)).as("of a closed stream").isEmpty();
    assertThat(memoryIsFree()).isTrue();
  }

  @Test
  void aWindowThatCannotBeRebuiltGivesItsMemoryBack() {
    LostBlock block =
        block(
            target -> {
              throw new IOException("too many losses");
            });
    assertThatThrownBy(
            () -> windows.rebuild(Windows.Reader.SEQUENTIAL, block, START, 1, WINDOW, WINDOW))
        .hasMessage("too many losses");
    assertThat(memoryIsFree()).isTrue();
  }

  @Test
  void nothingIsBegunForAClosedStream() throws IOException {
    windows.close();
    windows.begin(block(WindowsTest::ones), START, WINDOW);
    assertThat(memoryIsFree()).isTrue();
  }

  @Test
  void aFailureReachesTheReader() {
    LostBlock block =
        block(
            target -> {
              throw new IOException("too many losses");
            });
    windows.begin(block, START, WINDOW);
    assertThatThrownBy(() -> windows.next(block, START)).hasMessage("too many losses");
    assertThat(memoryIsFree()).isTrue();
  }

  @Test
  void aReaderWhoIsInterruptedStaysInterrupted() {
    LostBlock block = block(this::hang);
    windows.begin(block, START, WINDOW);
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> windows.next(block, START)).isInstanceOf(InterruptedIOException.class);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(memoryIsFree()).isTrue();
  }

  @Test
  void aPositionedReaderLeavesTheWindowOfASequentialOneAlone() throws IOException {
    LostBlock block = block(WindowsTest::ones);
    LostBlock.Window window =
        windows.rebuild(Windows.Reader.SEQUENTIAL, block, START, 1, WINDOW, WINDOW);
    LostBlock.Window other =
        windows.rebuild(Windows.Reader.POSITIONED, block, START + WINDOW, 10, 10, WINDOW);
    assertThat(windows.current(block, START)).contains(window);
    assertThat(windows.current(block, START + WINDOW)).contains(other);
    assertThat(windows.cover(START + WINDOW - 1)).isTrue();
    assertThat(windows.cover(START + WINDOW)).as("of the other reader").isFalse();
    windows.drop(Windows.Reader.POSITIONED, other);
    assertThat(windows.current(block, START)).contains(window);
    windows.drop(Windows.Reader.POSITIONED, window);
    assertThat(windows.current(block, START)).as("it is the other's").contains(window);
    windows.drop(Windows.Reader.SEQUENTIAL, window);
    assertThat(memoryIsFree()).isTrue();
  }

  @Test
  void whoSkipsIntoTheNextWindowGetsIt() throws IOException {
    LostBlock block = block(WindowsTest::ones);
    windows.begin(block, START, WINDOW);
    assertThat(windows.cover(START + 100)).isTrue();
    assertThat(windows.cover(START + WINDOW)).isFalse();
    assertThat(windows.next(block, START + 100)).isPresent();
  }

  /** An application may keep many streams open, and read none of them. */
  @Test
  void whatNobodyReadsIsDroppedForWhoNeedsTheMemory() throws IOException {
    LostBlock block = block(WindowsTest::ones);
    LostBlock.Window window =
        windows.rebuild(Windows.Reader.SEQUENTIAL, block, START, 1, WINDOW, WINDOW);
    Windows others = stream();
    nanos.addAndGet(WindowMemory.IDLE_NANOS);
    assertThat(windows.current(block, START)).as("and is read").contains(window);
    nanos.addAndGet(1);
    others.begin(block, START, WINDOW);
    assertThat(others.cover(START)).as("a window that was read a moment ago stays").isFalse();
    nanos.addAndGet(WindowMemory.IDLE_NANOS);
    others.begin(block, START, WINDOW);
    assertThat(others.cover(START)).isTrue();
    assertThat(windows.current(block, START)).isEmpty();
    nanos.addAndGet(WindowMemory.IDLE_NANOS + 1);
    windows.begin(block, START, WINDOW);
    assertThat(windows.cover(START)).as("nobody has come for the other").isTrue();
    assertThat(others.next(block, START)).isEmpty();
    windows.close();
    assertThat(memoryIsFree()).isTrue();
  }
}
