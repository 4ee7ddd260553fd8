// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ThreadsTest {
  private final Threads threads = new Threads("test", 1);

  @AfterEach
  void stop() {
    threads.executor().shutdownNow();
  }

  @Test
  void moreThreadsTakeUpWhatWaitsAlready() throws Exception {
    CyclicBarrier allThree = new CyclicBarrier(3);
    List<Future<?>> tasks = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      tasks.add(threads.executor().submit(() -> allThree.await()));
    }
    while (allThree.getNumberWaiting() < 1) {
      Thread.sleep(1);
    }
    assertThat(tasks).noneMatch(Future::isDone);

    threads.resize(3);

    for (Future<?> task : tasks) {
      task.get();
    }
  }

  @Test
  void fewerThreadsDoNotInterruptWhatRunsAndTakeUpNoMore() throws Exception {
    threads.resize(4);
    CyclicBarrier allFour = new CyclicBarrier(5);
    List<Future<?>> running = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      running.add(threads.executor().submit(() -> allFour.await()));
    }
    while (allFour.getNumberWaiting() < 4) {
      Thread.sleep(1);
    }

    threads.resize(1);

    AtomicInteger now = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    List<Future<?>> later = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      later.add(
          threads
              .executor()
              .submit(
                  () -> {
                    most.accumulateAndGet(now.incrementAndGet(), Math::max);
                    for (int spin = 0; spin < 1_000; spin++) {
                      Thread.onSpinWait();
                    }
                    return now.decrementAndGet();
                  }));
    }
    allFour.await();
    for (Future<?> task : running) {
      task.get();
    }
    for (Future<?> task : later) {
      task.get();
    }
    assertThat(most).hasValue(1);
  }
}
