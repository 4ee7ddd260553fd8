package io.hdfsraid.raidnode.request;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Accepted requests, carried out one after another; refuses more than may wait. */
public final class RequestQueue implements Executor, AutoCloseable {
  private final ThreadPoolExecutor worker;

  /** A queue in which so many requests may wait. */
  public RequestQueue(int waiting) {
    this.worker =
        new ThreadPoolExecutor(
            1,
            1,
            0,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(waiting),
            work -> {
              Thread thread = new Thread(work, "request");
              thread.setDaemon(true);
              return thread;
            });
  }

  @Override
  public void execute(Runnable request) {
    worker.execute(request);
  }

  /** Interrupts the one under way; what waits is dropped, as is everything that only waits. */
  @Override
  public void close() {
    worker.shutdownNow();
  }
}
