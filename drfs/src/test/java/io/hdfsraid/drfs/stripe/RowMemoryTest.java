// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.stripe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RowMemoryTest {
  private static final long KIB = 1024;

  private final RowMemory memory = new RowMemory(10 * KIB);

  @Test
  void whoDoesNotFitWaitsUntilSomeoneHasDone() throws Exception {
    CountDownLatch done = new CountDownLatch(1);
    AtomicInteger working = new AtomicInteger();
    Thread first = holding(6 * KIB, working, done);
    Thread fits = holding(4 * KIB, working, done);
    AtomicBoolean third = new AtomicBoolean();
    Thread waiting = thread(() -> memory.during(1, () -> third.getAndSet(true)));
    awaitWaiting(waiting);
    assertThat(working).hasValue(2);
    assertThat(third).isFalse();
    done.countDown();
    waiting.join();
    first.join();
    fits.join();
    assertThat(third).isTrue();
  }

  @Test
  void whoWantsMoreThanThereIsWorksAlone() throws Exception {
    CountDownLatch done = new CountDownLatch(1);
    Thread large = holding(1000 * KIB, new AtomicInteger(), done);
    Thread small = thread(() -> memory.during(1, () -> 1));
    awaitWaiting(small);
    done.countDown();
    small.join();
    large.join();
  }

  @Test
  void aLargeOneIsNotOvertakenForEverBySmallOnes() throws Exception {
    CountDownLatch done = new CountDownLatch(1);
    Thread first = holding(KIB, new AtomicInteger(), done);
    Thread large = thread(() -> memory.during(10 * KIB, () -> 1));
    awaitWaiting(large);
    // There would be room for it, but the large one was first.
    Thread small = thread(() -> memory.during(KIB, () -> 1));
    awaitWaiting(small);
    done.countDown();
    for (Thread each : new Thread[] {first, large, small}) {
      each.join();
    }
  }

  @Test
  void whatFailsGivesBackWhatItTook() throws IOException {
    IOException failure = new IOException("no such node");
    assertThatThrownBy(
            () ->
                memory.during(
                    10 * KIB,
                    () -> {
                      throw failure;
                    }))
        .isSameAs(failure);
    assertThat(memory.<Integer>during(10 * KIB, () -> 7)).isEqualTo(7);
  }

  @Test
  void anInterruptEndsTheWaitAndIsKept() throws Exception {
    CountDownLatch done = new CountDownLatch(1);
    Thread first = holding(10 * KIB, new AtomicInteger(), done);
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    AtomicBoolean flag = new AtomicBoolean();
    Thread waiting =
        thread(
            () -> {
              try {
                memory.during(1, () -> 1);
              } catch (IOException e) {
                thrown.set(e);
              }
              flag.set(Thread.currentThread().isInterrupted());
            });
    awaitWaiting(waiting);
    waiting.interrupt();
    waiting.join();
    assertThat(thrown.get()).isInstanceOf(InterruptedIOException.class);
    assertThat(flag).isTrue();
    done.countDown();
    first.join();
  }

  @Test
  void memoryThatIsNoneIsRefused() {
    assertThatThrownBy(() -> new RowMemory(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("got 0 bytes");
  }

  /** Started, and holding so much until {@code done}. */
  private Thread holding(long bytes, AtomicInteger working, CountDownLatch done)
      throws InterruptedException {
    CountDownLatch began = new CountDownLatch(1);
    Thread thread =
        thread(
            () ->
                memory.during(
                    bytes,
                    () -> {
                      working.incrementAndGet();
                      began.countDown();
                      try {
                        done.await();
                      } catch (InterruptedException e) {
                        throw new IOException(e);
                      }
                      return 1;
                    }));
    began.await();
    return thread;
  }

  private static Thread thread(TaskGroup.Task task) {
    Thread thread =
        new Thread(
            () -> {
              try {
                task.run();
              } catch (IOException e) {
                throw new AssertionError(e);
              }
            });
    thread.start();
    return thread;
  }

  private static void awaitWaiting(Thread thread) {
    while (thread.getState() != Thread.State.WAITING) {
      assertThat(thread.getState()).as("it went on").isNotEqualTo(Thread.State.TERMINATED);
      Thread.onSpinWait();
    }
  }
}
