package io.hdfsraid.raidnode.rounds;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Does many tasks a few at a time; one that fails does not keep the others from being done. */
public final class Workers {
  private static final Logger LOG = LoggerFactory.getLogger(Workers.class);

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
