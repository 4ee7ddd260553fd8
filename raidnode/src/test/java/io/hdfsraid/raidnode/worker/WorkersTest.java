// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WorkersTest {
  private final ExecutorService threads = Executors.newFixedThreadPool(2);
  private final Workers workers = new Workers(threads);

  @AfterEach
  void stop() {
    threads.shutdownNow();
  }

  private static void await(CountDownLatch latch) throws IOException {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  @Test
  void whatComesWhileAnotherTaskIsSlowIsDoneByAFreeThread() throws IOException {
    CountDownLatch slowHasBegun = new CountDownLatch(1);
    CountDownLatch lateIsDone = new CountDownLatch(1);
    Queue<Workers.Task> queue = new ConcurrentLinkedQueue<>();
    queue.add(
        () -> {
          slowHasBegun.countDown();
          await(lateIsDone);
        });
    threads.execute(
        () -> {
          try {
            await(slowHasBegun);
          } catch (IOException e) {
            return; // the test is over
          }
          queue.add(lateIsDone::countDown);
        });

    assertThat(workers.whileThereIs(() -> Optional.ofNullable(queue.poll()))).isEqualTo(2);
  }

  @Test
  void oneThatFailsIsCountedAndKeepsNoOtherFromBeingDone() throws IOException {
    Queue<Workers.Task> queue =
        new ConcurrentLinkedQueue<>(
            List.of(
                () -> {
                  throw new IOException("it failed");
                },
                () -> {}));

    assertThat(workers.whileThereIs(() -> Optional.ofNullable(queue.poll()))).isEqualTo(2);
  }
}
