// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest.tasks;

import io.hdfsraid.raidapi.tasks.TaskReport;
import io.hdfsraid.raidapi.tasks.TaskState;
import io.hdfsraid.raidnode.catalog.KnownTasks;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All tasks: those that wait or run, which are in the queues of this process, and those that have
 * ended, which are in the catalog. Safe for concurrent use.
 */
public final class Tasks {
  private static final Logger LOG = LoggerFactory.getLogger(Tasks.class);

  private final KnownTasks known;
  private final Clock clock;
  private final Map<Long, InQueue> active = new ConcurrentSkipListMap<>();
  private long last;

  /** A task that has not ended, and the queue that carries it out. */
  private record InQueue(AcceptedTask task, TaskQueue queue) {}

  public Tasks(KnownTasks known, Clock clock) {
    this.known = known;
    this.clock = clock;
    this.last = known.newest();
  }

  /** Returns a number that no task has had: the time in milliseconds, or more. */
  synchronized long next() {
    last = Math.max(last + 1, clock.millis());
    return last;
  }

  Clock clock() {
    return clock;
  }

  void add(AcceptedTask task, TaskQueue queue) {
    active.put(task.number(), new InQueue(task, queue));
    known.trim(clock.instant(), active::containsKey);
    known.put(task.number(), task.report());
  }

  /** Forgets a task that its queue did not take. */
  void drop(AcceptedTask task) {
    active.remove(task.number());
    known.remove(task.number());
  }

  /** Stores that a task has begun or ended. */
  void changed(AcceptedTask task) {
    TaskReport report = task.report();
    try {
      known.put(task.number(), report);
    } catch (RuntimeException e) {
      // The work counts more than its record, which the next daemon reports as not ended.
      LOG.warn("Task {} could not be stored as {}", report.id(), report.state(), e);
    }
    if (report.state().isEnded()) {
      active.remove(task.number());
      LOG.atInfo()
          .addKeyValue("task", report.id())
          .addKeyValue("action", report.action())
          .addKeyValue("path", report.path())
          .addKeyValue("by", report.by())
          .addKeyValue("state", report.state())
          .addKeyValue("steps", report.progress().stepsDone())
          .addKeyValue("failed", report.progress().stepsFailed())
          .log(report.reason().isEmpty() ? "Task ended" : "Task ended: " + report.reason());
    }
  }

  /** Returns a task as it is now; empty if there is none, or no longer. */
  public Optional<TaskReport> find(String id) {
    Optional<Long> number = number(id);
    return number
        .flatMap(wanted -> Optional.ofNullable(active.get(wanted)))
        .map(found -> found.task().report())
        .or(() -> number.flatMap(known::find));
  }

  /**
   * Returns tasks in brief, newest first.
   *
   * @param before id of a task, after which to begin; empty for the newest
   * @throws NumberFormatException if that is no id
   */
  public List<TaskReport> newest(Optional<String> before, Optional<TaskState> state, int limit) {
    // The catalog has the state in which a task was stored last, which is the one it has now.
    Predicate<TaskReport> wanted = task -> state.isEmpty() || task.state() == state.get();
    List<TaskReport> found = new ArrayList<>();
    for (TaskReport stored : known.newest(before.map(Long::valueOf), wanted, limit)) {
      found.add(
          Optional.ofNullable(active.get(Long.valueOf(stored.id())))
              .map(now -> now.task().report().brief())
              .orElse(stored));
    }
    return found;
  }

  /** Cancels a task; does nothing if it has ended. */
  public void cancel(String id, String by) {
    number(id)
        .flatMap(wanted -> Optional.ofNullable(active.get(wanted)))
        .ifPresent(found -> found.queue().cancel(found.task(), by));
  }

  private static Optional<Long> number(String id) {
    try {
      return Optional.of(Long.valueOf(id));
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }
}
