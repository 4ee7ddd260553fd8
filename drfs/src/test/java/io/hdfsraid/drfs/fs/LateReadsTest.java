// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.fs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LateReadsTest {
  private final ExecutorService executor = Executors.newCachedThreadPool();
  private final CountDownLatch never = new CountDownLatch(1);
  private final LateReads reads = new LateReads(Duration.ofMillis(20), executor);

  @AfterEach
  void stop() {
    reads.close();
    executor.shutdownNow();
  }

  @Test
  void aLateReaderIsInterruptedIfThereIsAnotherWay() {
    LateReads.Attempt attempt = reads.begin(executor, () -> true);
    assertThatThrownBy(never::await).isInstanceOf(InterruptedException.class);
    assertThat(attempt.end()).isTrue();
    assertThat(attempt.end()).as("asked again").isTrue();
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
  }

  /** A {@code FileContext} cannot be closed. */
  @Test
  void allClientsHaveOneClock() {
    for (int client = 0; client < 20; client++) {
      LateReads.Attempt attempt =
          new LateReads(Duration.ofMillis(20), executor).begin(executor, () -> true);
      assertThatThrownBy(never::await).isInstanceOf(InterruptedException.class);
      assertThat(attempt.end()).isTrue();
    }
    assertThat(Thread.getAllStackTraces().keySet())
        .filteredOn(thread -> thread.getName().equals("degraded-read-clock"))
        .hasSize(1);
  }

  @Test
  void anInterruptThatComesTogetherWithTheBytesIsTakenBack() {
    LateReads.Attempt attempt = reads.begin(executor, () -> true);
    while (!Thread.currentThread().isInterrupted()) {
      Thread.onSpinWait();
    }
    attempt.end();
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
  }

  @Test
  void otherWaysAreLookedForOnceAndWithoutOneTheReaderGoesOnWaiting() throws Exception {
    AtomicInteger looked = new AtomicInteger();
    CountDownLatch laterOnes = new CountDownLatch(3);
    LateReads.Attempt attempt =
        reads.begin(
            executor,
            () -> {
              looked.incrementAndGet();
              return false;
            });
    Thread others =
        new Thread(
            () -> {
              for (int i = 0; i < 3; i++) {
                LateReads.Attempt other = reads.begin(executor, () -> true);
                try {
                  never.await();
                } catch (InterruptedException e) {
                  laterOnes.countDown();
                }
                other.end();
              }
            });
    others.start();
    laterOnes.await(); // not interrupted
    others.join();
    assertThat(attempt.end()).isFalse();
    assertThat(looked).hasValue(1);
  }

  @Test
  void aReadThatHasEndedIsNotInterrupted() throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch ended = new CountDownLatch(1);
    LateReads.Attempt attempt =
        reads.begin(
            executor,
            () -> {
              asked.countDown();
              try {
                ended.await();
              } catch (InterruptedException e) {
                throw new AssertionError(e);
              }
              return true;
            });
    asked.await();
    assertThat(attempt.end()).isFalse();
    ended.countDown();
    executor.shutdown();
    boolean done = executor.awaitTermination(30, java.util.concurrent.TimeUnit.SECONDS);
    assertThat(done).isTrue();
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
  }

  @Test
  void aReadThatSwallowsInterruptsIsLeftAloneIfThereIsAnotherWay() throws Exception {
    CountDownLatch answered = new CountDownLatch(1);
    LateReads.Uninterruptible slow =
        () -> {
          boolean waiting = true;
          while (waiting) {
            try {
              answered.await();
              waiting = false;
            } catch (InterruptedException e) {
              // as HDFS does
            }
          }
          return 7;
        };
    assertThat(reads.elsewhere(slow, () -> true)).isEmpty();
    assertThat(
            reads.elsewhere(
                slow,
                () -> {
                  answered.countDown();
                  return false;
                }))
        .hasValue(7);
    assertThat(reads.elsewhere(() -> 8, () -> true)).hasValue(8);
    assertThatThrownBy(
            () ->
                reads.elsewhere(
                    () -> {
                      throw new IOException("gone");
                    },
                    () -> true))
        .hasMessage("gone");
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> reads.elsewhere(this::hang, () -> true))
        .isInstanceOf(InterruptedIOException.class);
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void withoutAnotherThreadTheReaderReadsItself() throws IOException {
    executor.shutdown();
    Thread reader = Thread.currentThread();
    assertThat(reads.elsewhere(() -> Thread.currentThread() == reader ? 9 : 0, () -> true))
        .hasValue(9);
  }

  private int hang() throws IOException {
    try {
      never.await();
    } catch (InterruptedException e) {
      throw new InterruptedIOException();
    }
    return 0;
  }
}
