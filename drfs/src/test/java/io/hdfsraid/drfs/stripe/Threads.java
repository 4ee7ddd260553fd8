// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.stripe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Worker threads that know whether they are at work. */
final class Threads implements Executor {
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final AtomicInteger busy = new AtomicInteger();

  @Override
  public void execute(Runnable task) {
    busy.incrementAndGet();
    threads.execute(
        () -> {
          try {
            task.run();
          } finally {
            busy.decrementAndGet();
          }
        });
  }

  /** All threads end without being interrupted. */
  void awaitEnd() throws InterruptedException {
    threads.shutdown();
    assertThat(threads.awaitTermination(30, TimeUnit.SECONDS))
        .as("threads still busy: %s", busy)
        .isTrue();
  }
}
