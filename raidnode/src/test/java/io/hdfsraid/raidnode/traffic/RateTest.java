// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.traffic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.bucket4j.TimeMeter;
import java.io.InterruptedIOException;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** On a clock that stands still unless it is moved. */
@Timeout(60)
class RateTest {
  private final AtomicLong nanos = new AtomicLong(1);
  private final TimeMeter clock =
      new TimeMeter() {
        @Override
        public long currentTimeNanos() {
          return nanos.get();
        }

        @Override
        public boolean isWallClockBased() {
          return false;
        }
      };
  private final ExecutorService threads = Executors.newCachedThreadPool();

  @AfterEach
  void stop() {
    threads.shutdownNow();
  }

  private CompletableFuture<Void> taking(Rate rate, long permits) {
    return CompletableFuture.runAsync(
        () -> {
          try {
            rate.take(permits);
          } catch (InterruptedIOException e) {
            throw new IllegalStateException(e);
          }
        },
        threads);
  }

  /** More than a rate gives in a second; of the fastest, a token stands for several permits. */
  @ParameterizedTest
  @ValueSource(
      longs = {3, 7, 1_000, 200_000_000, 1_000_000_000, 3_000_000_000L, 1_000_000_000_000L})
  void asManyPassAsTheClockAllows(long perSecond) throws Exception {
    Rate rate = new Rate(perSecond, clock);
    rate.take(perSecond);
    CompletableFuture<Void> next = taking(rate, 2 * perSecond);
    nanos.addAndGet(TimeUnit.SECONDS.toNanos(1));
    CompletableFuture<Void> third = taking(rate, perSecond);
    // Two of three seconds' worth are wanted and one is there: not both can be done.
    assertThat(CompletableFuture.allOf(next, third)).isNotDone();
    while (!next.isDone() || !third.isDone()) {
      nanos.addAndGet(TimeUnit.SECONDS.toNanos(1));
      Thread.sleep(1);
    }
  }

  @Test
  void whoWaitsAtASlowRatePassesAsSoonAsItIsRaised() throws Exception {
    Rate rate = new Rate(1, clock);
    CompletableFuture<Void> waiting = taking(rate, 1_000_000);
    CompletableFuture<Void> other = taking(rate, 1_000_000);
    awaitWaiting(2);
    rate.set(Tuning.UNLIMITED);
    waiting.get();
    other.get();
  }

  @Test
  void aRateThatIsLoweredHoldsWhoComesNext() throws Exception {
    Rate rate = new Rate(Tuning.UNLIMITED, clock);
    rate.take(Long.MAX_VALUE);
    rate.set(10);
    CompletableFuture<Void> next = taking(rate, 1);
    awaitWaiting(1);
    assertThat(next).as("nothing is saved up by a change").isNotDone();
    nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(100));
    next.get();
  }

  @Test
  void whatIsTakenAtOnceIsWaitedForByOthers() throws Exception {
    Rate rate = new Rate(1_000, clock);
    rate.takeAtOnce(1_100); // 100 more than there are
    CompletableFuture<Void> next = taking(rate, 100);
    nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(190));
    awaitWaiting(1);
    assertThat(next).isNotDone();
    nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(10));
    next.get();
  }

  @Test
  void anInterruptEndsTheWait() throws Exception {
    Rate rate = new Rate(1, clock);
    CompletableFuture<Void> waiting = taking(rate, 1_000_000);
    awaitWaiting(1);
    threads.shutdownNow();
    assertThatThrownBy(waiting::get)
        .isInstanceOf(ExecutionException.class)
        .hasRootCauseInstanceOf(InterruptedException.class);
  }

  /** One that wants much and gets it slowly does not keep the others from getting anything. */
  @Test
  void whoWantsMuchDoesNotHoldUpWhoWantsLittle() throws Exception {
    Rate rate = new Rate(10, clock);
    CompletableFuture<Void> much = taking(rate, 1_000_000_000);
    awaitWaiting(1);
    CompletableFuture<Void> little = taking(rate, 3);
    while (!little.isDone()) {
      nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(100));
      Thread.sleep(1);
    }
    assertThat(much).isNotDone();
  }

  /** Until so many threads wait for the clock. */
  private static void awaitWaiting(int wanted) throws InterruptedException {
    while (Thread.getAllStackTraces().entrySet().stream()
            .filter(
                thread ->
                    thread.getKey().getState() == Thread.State.TIMED_WAITING
                        && Arrays.stream(thread.getValue())
                            .anyMatch(frame -> frame.getClassName().equals(Rate.class.getName())))
            .count()
        < wanted) {
      Thread.sleep(1);
    }
  }
}
