// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest.tasks;

import io.hdfsraid.raidapi.ChangePreview;
import io.hdfsraid.raidapi.ChangePreview.Action;
import io.hdfsraid.raidapi.tasks.TaskReport;
import io.hdfsraid.raidapi.tasks.TaskState;
import io.hdfsraid.raidnode.access.Cause;
import io.hdfsraid.raidnode.schedule.KnownTrouble;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * A queue of tasks, which are carried out one after another. The queue refuses tasks above its
 * limit.
 */
public final class TaskQueue implements AutoCloseable {
  /** Longest wait for an interrupted task: after that the catalog is closed, which it writes to. */
  private static final int SECONDS_TO_END = 5;

  /** So that one person leaves room for the questions of others. */
  static final int QUESTIONS_OF_ONE = 3;

  private final Tasks tasks;
  private final KnownTrouble trouble;
  private final ThreadPoolExecutor worker;
  private final Map<Long, AcceptedTask> waiting = new ConcurrentSkipListMap<>();
  private volatile boolean closed;

  /**
   * Creates a queue.
   *
   * @param trouble the tasks wait while it goes on
   * @param waiting most tasks that may wait; the task that runs does not count
   */
  public TaskQueue(Tasks tasks, KnownTrouble trouble, int waiting) {
    this.tasks = tasks;
    this.trouble = trouble;
    this.worker =
        new ThreadPoolExecutor(
            1,
            1,
            0,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(waiting),
            work -> {
              Thread thread = new Thread(work, "task");
              thread.setDaemon(true);
              return thread;
            });
  }

  /**
   * A task that has not ended.
   *
   * @param subject the path or the stripes of the request
   * @param running whether the task is being carried out
   */
  public record Entry(long number, String subject, boolean running) {}

  /**
   * Queues the task of a change.
   *
   * @return the change with the id of the task
   * @throws RejectedExecutionException if too many tasks wait already
   */
  public ChangePreview change(ChangePreview planned, String by, TaskWork work) {
    long number = tasks.next();
    ChangePreview accepted = planned.acceptedAs(Long.toString(number));
    submit(
        number,
        new AcceptedTask.Order(
            accepted.action(), accepted.path(), by, Optional.of(accepted), work));
    return accepted;
  }

  /**
   * Queues a task that changes nothing.
   *
   * @throws RejectedExecutionException if too many tasks wait already, or {@value
   *     #QUESTIONS_OF_ONE} of the same person have not ended
   */
  public TaskReport question(Action action, String path, String by, TaskWork work) {
    if (waiting.values().stream().filter(task -> task.by().equals(by)).count()
        >= QUESTIONS_OF_ONE) {
      throw new RejectedExecutionException("Too many questions of " + by);
    }
    return submit(tasks.next(), new AcceptedTask.Order(action, path, by, Optional.empty(), work))
        .report();
  }

  /** Continues a task that an earlier process has not ended. */
  public void takeUp(TaskReport task, TaskWork work) {
    AcceptedTask.Order order =
        new AcceptedTask.Order(task.action(), task.path(), task.by(), task.change(), work);
    submit(
        new AcceptedTask(
            Long.parseLong(task.id()),
            order,
            new Cause(task.requestId(), task.operatorReason()),
            task.queuedAt(),
            trouble,
            tasks.clock(),
            this::changed));
  }

  private AcceptedTask submit(long number, AcceptedTask.Order order) {
    return submit(
        new AcceptedTask(
            number,
            order,
            Cause.current(),
            tasks.clock().instant(),
            trouble,
            tasks.clock(),
            this::changed));
  }

  private AcceptedTask submit(AcceptedTask task) {
    long number = task.number();
    waiting.put(number, task);
    try {
      tasks.add(task, this);
      worker.execute(task);
    } catch (RuntimeException e) {
      waiting.remove(number);
      tasks.drop(task);
      throw e;
    }
    return task;
  }

  private void changed(AcceptedTask task) {
    if (!closed) {
      tasks.changed(task);
    }
    if (task.state().isEnded()) {
      waiting.remove(task.number());
    }
  }

  /** Returns the tasks that have not ended, in order. */
  public List<Entry> entries() {
    List<Entry> entries = new ArrayList<>();
    waiting
        .values()
        .forEach(
            task ->
                entries.add(
                    new Entry(task.number(), task.path(), task.state() == TaskState.RUNNING)));
    return entries;
  }

  /**
   * Removes the tasks that wait and interrupts the one that runs. The latest goes first: once the
   * running task ends, the worker begins the next one that waits.
   */
  public void cancel(Collection<Entry> entries, String by) {
    entries.stream()
        .sorted(Comparator.comparingLong(Entry::number).reversed())
        .map(entry -> waiting.get(entry.number()))
        .filter(Objects::nonNull)
        .forEach(task -> cancel(task, by));
  }

  void cancel(AcceptedTask task, String by) {
    if (task.cancel(by)) {
      worker.remove(task);
    }
  }

  /**
   * Accepts no more tasks, and waits until the accepted ones have ended.
   *
   * @throws InterruptedIOException if the calling thread is interrupted; its flag is set
   */
  public void finish() throws InterruptedIOException {
    worker.shutdown();
    try {
      while (!worker.awaitTermination(1, TimeUnit.HOURS)) {
        // Repairs of many stripes take long.
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("Interrupted while waiting for the tasks to end");
    }
  }

  /**
   * Interrupts the running task and drops the waiting ones. The next daemon reports them as failed,
   * because the catalog has them as tasks that have not ended.
   */
  @Override
  public void close() {
    closed = true;
    worker.shutdownNow();
    try {
      if (!worker.awaitTermination(SECONDS_TO_END, TimeUnit.SECONDS)) {
        return; // It waits for HDFS. The process does not wait for it.
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
