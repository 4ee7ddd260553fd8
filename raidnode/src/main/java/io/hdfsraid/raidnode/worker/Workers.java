package io.hdfsraid.raidnode.worker;

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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs many tasks, a limited number at a time. A task that fails does not stop the others. */
public final class Workers {
  private static final Logger LOG = LoggerFactory.getLogger(Workers.class);

  private static final Duration LOOK_AGAIN = Duration.ofSeconds(1);

  private final ExecutorService threads;

  /**
   * Workers on these threads.
   *
   * @param threads as many as tasks may run at once; used for nothing that a task waits for
   */
  public Workers(ExecutorService threads) {
    this.threads = threads;
  }

  /** A task; it writes its failure down itself. */
  @FunctionalInterface
  public interface Task {
    void run() throws IOException;
  }

  /** What is to be done next; asked for only when a thread is free for it. */
  @FunctionalInterface
  public interface Queue {
    /** Empty when there is nothing just now. */
    Optional<Task> next() throws IOException;
  }

  /**
   * Does what a queue has until it has nothing more and all that was begun has ended. What comes
   * into it meanwhile in a better place is done first, and threads that are added or taken away
   * meanwhile count.
   *
   * @return how many tasks were done, those that failed included
   */
  public int whileThereIs(Queue queue) throws IOException {
    CompletionService<Void> ended = new ExecutorCompletionService<>(threads);
    List<Future<Void>> running = new ArrayList<>();
    int done = 0;
    try {
      while (true) {
        Optional<Task> next = running.size() < size() ? queue.next() : Optional.empty();
        if (next.isPresent()) {
          Task task = next.get();
          running.add(
              ended.submit(
                  () -> {
                    task.run();
                    return null;
                  }));
        } else if (running.isEmpty()) {
          return done;
        } else {
          // A queue that had nothing may have something by now, and free threads for it.
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
      // Of a queue that fails, what was begun goes on; of an interrupted one it ends.
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

  private int size() {
    return threads instanceof ThreadPoolExecutor pool ? pool.getMaximumPoolSize() : 1;
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
              () -> {
                task.run();
                return null;
              }));
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
