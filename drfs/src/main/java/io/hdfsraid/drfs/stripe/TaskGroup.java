package io.hdfsraid.drfs.stripe;

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
 * The tasks of one piece of work on an executor shared with others. They fail together, and once
 * the group is closed none of them runs any more. Used by one thread.
 */
final class TaskGroup implements Closeable {
  private final Executor executor;

  // All guarded by this.
  private final Set<Thread> running = new HashSet<>();
  private Throwable failure;
  private boolean closed;

  TaskGroup(Executor executor) {
    this.executor = executor;
  }

  /** Something to do on another thread. */
  @FunctionalInterface
  interface Task {
    void run() throws IOException;
  }

  /** Starts tasks, none of which may wait for another. */
  Batch start(List<Task> tasks) throws IOException {
    Batch batch = new Batch(tasks.size());
    for (Task task : tasks) {
      try {
        executor.execute(() -> run(task, batch));
      } catch (RejectedExecutionException e) {
        throw new IOException("The executor takes no more work: it was shut down", e);
      }
    }
    return batch;
  }

  /**
   * Runs all tasks to their end, whatever happens to some of them or to the calling thread, whose
   * interrupts are kept for later.
   *
   * @throws IOException of the first task that failed, with those of the others suppressed
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
    synchronized (this) {
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
    synchronized (this) {
      running.remove(Thread.currentThread());
      batch.pending--;
      if (closed) {
        // The interrupt was ours and must not hit what the thread does next.
        boolean unused = Thread.interrupted();
      }
      if (failure == null) {
        failure = thrown;
      }
      notifyAll();
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

  /** Interrupts what runs, forgets what waits, and returns when nothing runs any more. */
  @Override
  public void close() {
    boolean interrupted = false;
    synchronized (this) {
      closed = true;
      running.forEach(Thread::interrupt);
      while (!running.isEmpty()) {
        try {
          wait();
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
     * Waits for these tasks, but no longer than until any task of the group fails.
     *
     * @throws IOException of the first task of the group that failed
     * @throws InterruptedIOException when this thread is interrupted; its flag is set again
     */
    void await() throws IOException {
      synchronized (TaskGroup.this) {
        while (pending > 0 && failure == null) {
          try {
            TaskGroup.this.wait();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            InterruptedIOException interrupted =
                new InterruptedIOException("Interrupted while waiting for DataNodes");
            interrupted.initCause(e);
            throw interrupted;
          }
        }
        if (failure != null) {
          rethrow(failure);
        }
      }
    }

    private void awaitUninterruptibly() {
      boolean interrupted = false;
      synchronized (TaskGroup.this) {
        while (pending > 0) {
          try {
            TaskGroup.this.wait();
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
