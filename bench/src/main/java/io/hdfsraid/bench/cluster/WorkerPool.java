// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.cluster;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** A pool of workers that run tasks in order. */
public final class WorkerPool implements AutoCloseable {
  private final ExecutorService threads;

  public WorkerPool(int workers) {
    threads =
        Executors.newFixedThreadPool(
            workers,
            work -> {
              Thread thread = new Thread(work, "bench-worker");
              thread.setDaemon(true);
              return thread;
            });
  }

  /** Does all tasks, begun in this order. */
  public <T> List<T> run(List<? extends Callable<T>> tasks) throws IOException {
    List<Future<T>> running = new ArrayList<>();
    tasks.forEach(task -> running.add(threads.submit(task)));
    List<T> results = new ArrayList<>();
    try {
      for (Future<T> each : running) {
        results.add(each.get());
      }
      return results;
    } catch (ExecutionException e) {
      throw new IOException(e.getCause().toString(), e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("Interrupted");
    } finally {
      running.forEach(each -> each.cancel(true));
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
