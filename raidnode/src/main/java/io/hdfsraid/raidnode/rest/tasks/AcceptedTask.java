// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest.tasks;

import io.hdfsraid.raidapi.ChangePreview;
import io.hdfsraid.raidapi.ChangePreview.Action;
import io.hdfsraid.raidapi.tasks.TaskProgress;
import io.hdfsraid.raidapi.tasks.TaskReport;
import io.hdfsraid.raidapi.tasks.TaskState;
import io.hdfsraid.raidnode.access.Cause;
import io.hdfsraid.raidnode.schedule.Failures;
import io.hdfsraid.raidnode.schedule.KnownTrouble;
import java.time.Clock;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A task from its acceptance to its end. Safe for concurrent use. */
final class AcceptedTask implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(AcceptedTask.class);

  private static final String WAITS = "It waits until the NameNode can be worked with again";

  private final long number;
  private final Order order;
  private final Cause cause;
  private final TaskMeter meter;
  private final Instant queuedAt;
  private final Clock clock;
  private final Consumer<AcceptedTask> changed;

  private TaskState state = TaskState.QUEUED;
  private String reason = "";
  private Optional<String> cancelledBy = Optional.empty();
  private Optional<Thread> thread = Optional.empty();
  private Optional<Instant> startedAt = Optional.empty();
  private Optional<Instant> endedAt = Optional.empty();

  /**
   * What was accepted.
   *
   * @param path the path or the stripes of the request
   * @param change the change with the id of the task; empty for a task that changes nothing
   */
  record Order(
      Action action, String path, String by, Optional<ChangePreview> change, TaskWork work) {}

  /**
   * @param trouble what the task waits for the end of
   * @param changed told when the task has begun and when it has ended
   */
  AcceptedTask(
      long number,
      Order order,
      Cause cause,
      Instant queuedAt,
      KnownTrouble trouble,
      Clock clock,
      Consumer<AcceptedTask> changed) {
    this.number = number;
    this.order = order;
    this.cause = cause;
    this.meter = new TaskMeter(clock, new Patience(trouble));
    this.queuedAt = queuedAt;
    this.clock = clock;
    this.changed = changed;
  }

  long number() {
    return number;
  }

  String path() {
    return order.path();
  }

  String by() {
    return order.by();
  }

  synchronized TaskState state() {
    return state;
  }

  @Override
  public void run() {
    if (!begins()) {
      return;
    }
    changed.accept(this);
    Optional<Throwable> failure = Optional.empty();
    Cause.Scope scope = cause.open();
    try {
      order.work().run(meter);
    } catch (Exception | Error e) {
      failure = Optional.of(e);
      if (e instanceof RuntimeException || e instanceof Error) {
        LOG.warn("Task {} failed", number, e);
      }
    } finally {
      scope.close();
      end(failure);
    }
  }

  private synchronized boolean begins() {
    if (state != TaskState.QUEUED) {
      return false;
    }
    state = TaskState.RUNNING;
    startedAt = Optional.of(clock.instant());
    thread = Optional.of(Thread.currentThread());
    return true;
  }

  private void end(Optional<Throwable> failure) {
    synchronized (this) {
      thread = Optional.empty();
      if (cancelledBy.isPresent()) {
        Thread.interrupted(); // the interrupt was for this task, not for the next one
      }
      endedAt = Optional.of(clock.instant());
      Optional<String> notDone = failure.map(Failures::words).or(meter::failure);
      if (cancelledBy.isPresent() && !(failure.isEmpty() && meter.allDone())) {
        state = TaskState.CANCELLED;
        reason = "Cancelled by " + cancelledBy.get();
      } else if (notDone.isPresent()) {
        state = meter.anyDone() ? TaskState.PARTLY_DONE : TaskState.FAILED;
        reason = notDone.get();
      } else {
        long skipped = order.change().map(ChangePreview::refused).orElse(0L);
        state = skipped > 0 ? TaskState.PARTLY_DONE : TaskState.DONE;
        reason = skipped > 0 ? skipped + " files were skipped from the beginning" : "";
      }
    }
    changed.accept(this);
  }

  /**
   * Ends a task that waits, or interrupts one that runs, which ends as soon as it can.
   *
   * @return whether the task waited, so that nobody needs to run it any more
   */
  boolean cancel(String by) {
    synchronized (this) {
      if (state.isEnded()) {
        return false;
      }
      if (cancelledBy.isEmpty()) {
        cancelledBy = Optional.of(by);
      }
      if (state == TaskState.RUNNING) {
        reason = "It is being cancelled by " + by;
        thread.ifPresent(Thread::interrupt);
        return false;
      }
      state = TaskState.CANCELLED;
      reason = "Cancelled by " + by;
      endedAt = Optional.of(clock.instant());
    }
    changed.accept(this);
    return true;
  }

  synchronized TaskReport report() {
    TaskProgress progress = meter.progress(startedAt, endedAt);
    return new TaskReport(
        Long.toString(number),
        order.action(),
        order.path(),
        state,
        reason.isEmpty() && meter.patience().isWaiting() ? WAITS : reason,
        order.by(),
        cause.request(),
        cause.reason(),
        queuedAt,
        startedAt,
        endedAt,
        progress,
        order.change(),
        meter.found());
  }
}
