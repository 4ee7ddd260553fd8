// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.stripe;

import io.hdfsraid.drfs.block.Interrupts;
import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * The tasks of one piece of work on a shared executor. If one task fails, the whole group fails.
 * After the group is closed, none of its tasks runs any more. Used by one thread.
 */
final class TaskGroup implements Closeable {
  private final Executor executor;

  /** Shared by this group and its children, because one thread waits for any of them. */
  private final Object monitor;

  private final List<TaskGroup> children = new ArrayList<>();

  // All guarded by the monitor.
  private final Set<Thread> running = new HashSet<>();
  private Throwable failure;
  private boolean closed;

  TaskGroup(Executor executor) {
    this(executor, new Object());
  }

  private TaskGroup(Executor executor, Object monitor) {
    this.executor = executor;
    this.monitor = monitor;
  }

  /**
   * Creates a child group that fails alone and can be closed alone, for work that may be cancelled
   * while this group continues. It is closed with this group at the latest.
   */
  TaskGroup child() {
    TaskGroup group = new TaskGroup(executor, monitor);
    children.add(group);
    return group;
  }

  /** A task for another thread. */
  @FunctionalInterface
  interface Task {
    void run() throws IOException;
  }

  /** Starts tasks. No task may wait for another. */
  Batch start(List<Task> tasks) throws IOException {
    Batch batch = new Batch(tasks.size());
    for (Task task : tasks) {
      try {
        executor.execute(() -> run(task, batch));
      } catch (RejectedExecutionException e) {
        throw new IOException("No thread takes the work: " + e.getMessage(), e);
      }
    }
    return batch;
  }

  /**
   * Runs all tasks to their end, even if some fail or the calling thread is interrupted. An
   * interrupt is kept for later.
   *
   * @throws IOException the failure of the first task that failed, with the other failures
   *     suppressed
   */
  static void runAll(Executor executor, List<Task> tasks) throws IOException {
    List<Throwable> failures = new ArrayList<>();
    List<Task> caught =
        tasks.stream()
            .<Task>map(
                task ->
                    () -> {
                      try {
                        task.run();
                      } catch (IOException | RuntimeException e) {
                        synchronized (failures) {
                          failures.add(e);
                        }
                      }
                    })
            .toList();
    TaskGroup group = new TaskGroup(executor);
    Batch batch = group.new Batch(caught.size());
    for (Task task : caught) {
      try {
        executor.execute(() -> group.run(task, batch));
      } catch (RejectedExecutionException e) {
        group.run(task, batch);
      }
    }
    batch.awaitUninterruptibly();
    synchronized (failures) {
      if (!failures.isEmpty()) {
        failures.stream().skip(1).forEach(failures.get(0)::addSuppressed);
        rethrow(failures.get(0));
      }
    }
  }

  private void run(Task task, Batch batch) {
    synchronized (monitor) {
      if (closed) {
        return;
      }
      running.add(Thread.currentThread());
    }
    Throwable thrown = null;
    try {
      task.run();
    } catch (Throwable e) {
      thrown = e;
    }
    synchronized (monitor) {
      running.remove(Thread.currentThread());
      batch.pending--;
      if (closed) {
        // The interrupt was meant for this task and must not reach the next task of the thread.
        boolean unused = Thread.interrupted();
      }
      if (failure == null) {
        failure = thrown;
      }
      monitor.notifyAll();
    }
  }

  private static void rethrow(Throwable failure) throws IOException {
    if (failure instanceof IOException e) {
      throw e;
    }
    if (failure instanceof Error e) {
      throw e;
    }
    throw (RuntimeException) failure;
  }

  /**
   * Waits until one of the batches, of this group or of a child, has ended or failed.
   *
   * @param nanos time limit; 0 for no limit
   * @throws IOException the failure of the first task of this group that failed
   * @throws InterruptedIOException if this thread is interrupted; its interrupt flag is set again
   */
  void awaitAny(List<Batch> batches, long nanos) throws IOException {
    long end = System.nanoTime() + nanos;
    synchronized (monitor) {
      while (failure == null && batches.stream().noneMatch(Batch::hasEnded)) {
        long left = nanos == 0 ? 0 : end - System.nanoTime();
        if (left < 0) {
          return;
        }
        try {
          // A fraction of a millisecond must not become 0, which means no limit.
          monitor.wait(nanos == 0 ? 0 : left / 1_000_000 + 1);
        } catch (InterruptedException e) {
          throw Interrupts.interrupted("waiting for DataNodes", e);
        }
      }
      if (failure != null) {
        rethrow(failure);
      }
    }
  }

  /** Interrupts running tasks, drops waiting tasks, and returns when no task runs any more. */
  @Override
  public void close() {
    children.forEach(TaskGroup::close);
    boolean interrupted = false;
    synchronized (monitor) {
      closed = true;
      running.forEach(Thread::interrupt);
      while (!running.isEmpty()) {
        try {
          monitor.wait();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Tasks that are awaited together. */
  final class Batch {
    private int pending;

    private Batch(int pending) {
      this.pending = pending;
    }

    /**
     * Waits for these tasks, or until any task of the group fails.
     *
     * @throws IOException the failure of the first task of the group that failed
     * @throws InterruptedIOException if this thread is interrupted; its interrupt flag is set again
     */
    void await() throws IOException {
      synchronized (monitor) {
        while (pending > 0 && failure == null) {
          try {
            monitor.wait();
          } catch (InterruptedException e) {
            throw Interrupts.interrupted("waiting for DataNodes", e);
          }
        }
        if (failure != null) {
          rethrow(failure);
        }
      }
    }

    /** Whether all tasks are done or a task of the group has failed. */
    boolean hasEnded() {
      synchronized (monitor) {
        return pending == 0 || failure != null;
      }
    }

    /** Whether a task of the group has failed. */
    boolean hasFailed() {
      synchronized (monitor) {
        return failure != null;
      }
    }

    private void awaitUninterruptibly() {
      boolean interrupted = false;
      synchronized (monitor) {
        while (pending > 0) {
          try {
            monitor.wait();
          } catch (InterruptedException e) {
            interrupted = true;
          }
        }
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
