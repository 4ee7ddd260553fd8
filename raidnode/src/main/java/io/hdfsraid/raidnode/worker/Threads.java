// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.worker;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A pool of named daemon threads whose size can change while they work. */
public final class Threads {
  private static final long IDLE_SECONDS = 60;

  private final ThreadPoolExecutor pool;

  /**
   * Threads that come when there is work and go when there is none.
   *
   * @param size so many at most; more tasks wait
   */
  public Threads(String name, int size) {
    AtomicInteger number = new AtomicInteger();
    pool =
        new ThreadPoolExecutor(
            size,
            size,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            work -> {
              Thread thread = new Thread(work, name + "-" + number.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            });
    pool.allowCoreThreadTimeOut(true);
  }

  public ExecutorService executor() {
    return pool;
  }

  /** From now on; tasks that run are not interrupted, however many they are. */
  public synchronized void resize(int size) {
    // The number that are kept may at no moment be above the number that are allowed.
    if (size > pool.getMaximumPoolSize()) {
      pool.setMaximumPoolSize(size);
      pool.setCorePoolSize(size);
    } else {
      pool.setCorePoolSize(size);
      pool.setMaximumPoolSize(size);
    }
  }
}
