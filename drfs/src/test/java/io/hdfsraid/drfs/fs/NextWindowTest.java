package io.hdfsraid.drfs.fs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsraid.drfs.stripe.RowMemory;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class NextWindowTest {
  private static final int WINDOW = 64 << 10;
  private static final long START = 1 << 20;

  private final ExecutorService executor = Executors.newCachedThreadPool();
  private final RowMemory memory = new RowMemory(WINDOW);
  private final NextWindow next = new NextWindow(executor, memory);
  private final CountDownLatch never = new CountDownLatch(1);

  @AfterEach
  void stop() {
    executor.shutdownNow();
  }

  private interface Rebuild {
    void into(ByteBuffer target) throws IOException;
  }

  private static LostBlock block(Rebuild rebuild) {
    return new LostBlock(
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
    LostBlock block = block(NextWindowTest::ones);
    next.begin(block, START + WINDOW, WINDOW);
    assertThat(memoryIsFree()).isFalse();
    LostBlock.Window window = next.take(block, START + WINDOW).orElseThrow();
    assertThat(window.start()).isEqualTo(START + WINDOW);
    assertThat(window.end()).isEqualTo(START + 2 * WINDOW);
    assertThat(window.bytes().get(WINDOW - 1)).isEqualTo((byte) 1);
    assertThat(memoryIsFree()).isTrue();
    assertThat(next.take(block, START + 2 * WINDOW)).as("once").isEmpty();
  }

  @Test
  void whoGoesElsewhereDoesNotWait() throws IOException {
    LostBlock block = block(this::hang);
    next.begin(block, START + WINDOW, WINDOW);
    assertThat(next.take(block, START)).isEmpty();
    assertThat(memoryIsFree()).isTrue();
    next.begin(block, START + WINDOW, WINDOW);
    assertThat(next.take(block(this::hang), START + WINDOW)).as("another block").isEmpty();
    next.begin(block, START + WINDOW, WINDOW);
    next.cancel();
    assertThat(memoryIsFree()).isTrue();
  }

  @Test
  void nothingIsRebuiltWithoutMemoryOrBehindTheBlock() throws IOException {
    LostBlock block = block(NextWindowTest::ones);
    next.begin(block, START + 3 * WINDOW, WINDOW);
    assertThat(memoryIsFree()).isTrue();
    assertThat(memory.spare(WINDOW)).isPresent(); // and kept
    next.begin(block, START + WINDOW, WINDOW);
    assertThat(next.take(block, START + WINDOW)).isEmpty();
  }

  @Test
  void nothingIsBegunForAClosedStream() throws IOException {
    next.close();
    next.begin(block(NextWindowTest::ones), START, WINDOW);
    assertThat(memoryIsFree()).isTrue();
  }

  @Test
  void aFailureReachesTheReader() {
    LostBlock block =
        block(
            target -> {
              throw new IOException("too many losses");
            });
    next.begin(block, START, WINDOW);
    assertThatThrownBy(() -> next.take(block, START)).hasMessage("too many losses");
    assertThat(memoryIsFree()).isTrue();
  }

  @Test
  void aReaderWhoIsInterruptedStaysInterrupted() {
    LostBlock block = block(this::hang);
    next.begin(block, START, WINDOW);
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> next.take(block, START)).isInstanceOf(InterruptedIOException.class);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(memoryIsFree()).isTrue();
  }
}
