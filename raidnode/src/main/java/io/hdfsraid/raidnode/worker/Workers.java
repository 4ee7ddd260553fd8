// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.worker;

import io.hdfsraid.raidnode.access.Cause;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs many tasks, a limited number at a time. A task that fails does not stop the others. */
public final class Workers {
  private static final Logger LOG = LoggerFactory.getLogger(Workers.class);

  private static final Duration LOOK_AGAIN = Duration.ofSeconds(1);

  private final ExecutorService threads;
  private final IntSupplier atOnce;

  /**
   * Creates workers on these threads.
   *
   * @param threads as many as tasks may run at once; no task may wait for another task on them
   */
  public Workers(ExecutorService threads) {
    this(threads, () -> threads instanceof ThreadPoolExecutor pool ? pool.getMaximumPoolSize() : 1);
  }

  /**
   * Creates workers of which fewer work than there are threads.
   *
   * @param atOnce how many tasks of a queue may run at once; may change at any time
   */
  public Workers(ExecutorService threads, IntSupplier atOnce) {
    this.threads = threads;
    this.atOnce = atOnce;
  }

  /** A task. It records its own failure. */
  @FunctionalInterface
  public interface Task {
    void run() throws IOException;
  }

  /** Gives the next task. It is asked only when a thread is free. */
  @FunctionalInterface
  public interface Queue {
    /** Returns the next task; empty if there is none now. */
    Optional<Task> next() throws IOException;
  }

  /**
   * Runs the tasks of a queue until it is empty and all tasks have ended. The queue may change its
   * order, and the pool its size, at any time.
   *
   * @return how many tasks have ended, including those that failed
   */
  public int whileThereIs(Queue queue) throws IOException {
    CompletionService<Void> ended = new ExecutorCompletionService<>(threads);
    List<Future<Void>> running = new ArrayList<>();
    int done = 0;
    try {
      while (true) {
        Optional<Task> next = running.size() < atOnce.getAsInt() ? queue.next() : Optional.empty();
        if (next.isPresent()) {
          Task task = next.get();
          running.add(
              ended.submit(
                  Cause.handedOn(
                      () -> {
                        task.run();
                        return null;
                      })));
        } else if (running.isEmpty()) {
          return done;
        } else {
          // A queue that was empty may have a task by now, and there are free threads.
          Optional<Future<Void>> one =
              Optional.ofNullable(ended.poll(LOOK_AGAIN.toMillis(), TimeUnit.MILLISECONDS));
          if (one.isPresent()) {
            running.removeIf(each -> each == one.get());
            done++;
            logFailure(one.get());
          }
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("Interrupted with %d tasks to do".formatted(running.size()));
    } finally {
      // If the queue fails, running tasks go on. If this thread is interrupted, they are cancelled.
      if (Thread.currentThread().isInterrupted()) {
        running.forEach(each -> each.cancel(true));
      }
    }
  }

  private static void logFailure(Future<Void> ended) throws InterruptedException {
    try {
      ended.get();
    } catch (ExecutionException e) {
      LOG.debug("A task failed", e.getCause());
    }
  }

  /**
   * Starts the tasks in order and returns when all have ended.
   *
   * @return how many failed
   */
  public int inOrder(List<Task> tasks) throws IOException {
    List<Future<?>> running = new ArrayList<>(tasks.size());
    for (Task task : tasks) {
      running.add(
          threads.submit(
              Cause.handedOn(
                  () -> {
                    task.run();
                    return null;
                  })));
    }
    int failed = 0;
    for (Future<?> each : running) {
      try {
        each.get();
      } catch (ExecutionException e) {
        failed++;
        LOG.debug("A task failed", e.getCause());
      } catch (InterruptedException e) {
        running.forEach(rest -> rest.cancel(true));
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("Interrupted with %d tasks to do".formatted(tasks.size()));
      }
    }
    return failed;
  }
}
