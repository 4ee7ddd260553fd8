// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.catalog;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hdfsraid.raidapi.ApiJson;
import io.hdfsraid.raidapi.ChangePreview;
import io.hdfsraid.raidapi.tasks.TaskReport;
import io.hdfsraid.recency.rocksdb.TableStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * The tasks of operators that have ended, and those that had not when they were stored last. The
 * newest {@value #MOST} of the last seven days are kept. A task is stored twice: in brief, so that
 * lists are cheap, and with what it was asked for and has found.
 */
public final class KnownTasks {
  static final int MOST = 1_000;
  static final Duration LONGEST = Duration.ofDays(7);

  private static final ObjectMapper JSON = ApiJson.ofFiles();

  private final TableStore store;
  private final TreeSet<Long> ids = new TreeSet<>();

  KnownTasks(TableStore store) {
    this.store = store;
    store.ascend(Tables.TASKS, Optional.empty(), (id, json) -> ids.add(id));
  }

  /** Returns the greatest id that was stored; 0 if there is none. */
  public synchronized long newest() {
    return ids.isEmpty() ? 0 : ids.last();
  }

  /**
   * Stores a task.
   *
   * @param number its id, which is the time at which it was accepted, in milliseconds
   */
  public synchronized void put(long number, TaskReport task) {
    store
        .changes()
        .put(Tables.TASKS, number, json(task.brief()))
        .put(Tables.TASK_REPORTS, number, json(task))
        .commit();
    ids.add(number);
  }

  /** Returns a task with what it was asked for and has found. */
  public Optional<TaskReport> find(long number) {
    return store.get(Tables.TASK_REPORTS, number).flatMap(KnownTasks::task);
  }

  /**
   * Returns tasks in brief, newest first.
   *
   * @param before an id, after which to begin; empty for the newest
   */
  public List<TaskReport> newest(Optional<Long> before, Predicate<TaskReport> wanted, int limit) {
    List<TaskReport> found = new ArrayList<>();
    store.descend(
        Tables.TASKS,
        before,
        (id, json) -> {
          if (!before.equals(Optional.of(id))) {
            task(json).filter(wanted).ifPresent(found::add);
          }
          return found.size() < limit;
        });
    return found;
  }

  /**
   * Forgets the oldest tasks.
   *
   * @param needed tells which are kept in any case, because they have not ended
   */
  public synchronized void trim(Instant now, Predicate<Long> needed) {
    long oldest = now.minus(LONGEST).toEpochMilli();
    for (long id : List.copyOf(ids)) {
      if (id >= oldest && ids.size() <= MOST) {
        return;
      }
      if (!needed.test(id)) {
        remove(id);
      }
    }
  }

  /** Forgets a task. */
  public synchronized void remove(long number) {
    store.changes().remove(Tables.TASKS, number).remove(Tables.TASK_REPORTS, number).commit();
    ids.remove(number);
  }

  /** Returns the tasks of one kind that had not ended when they were stored last. */
  public List<TaskReport> unfinished(ChangePreview.Action action) {
    return newest(
            Optional.empty(),
            task -> !task.state().isEnded() && task.action() == action,
            Integer.MAX_VALUE)
        .stream()
        .flatMap(task -> find(Long.parseLong(task.id())).stream())
        .toList();
  }

  /**
   * Ends the tasks that an earlier process has not ended, because nobody carries them out. Jobs go
   * on with withdrawals.
   */
  void giveUp(Instant now) {
    for (TaskReport lost :
        newest(
            Optional.empty(),
            task -> !task.state().isEnded() && task.action() != ChangePreview.Action.WITHDRAW,
            Integer.MAX_VALUE)) {
      long number = Long.parseLong(lost.id());
      put(
          number,
          find(number)
              .orElse(lost)
              .failed(
                  "The daemon ended before the task did. What was done by then stays done;"
                      + " 'raidshell history' lists it.",
                  now));
    }
  }

  private static String json(TaskReport task) {
    try {
      return JSON.writeValueAsString(task);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("The task cannot be written as JSON", e);
    }
  }

  /** Empty for what another version has written. */
  private static Optional<TaskReport> task(String json) {
    try {
      return Optional.of(JSON.readValue(json, TaskReport.class));
    } catch (JsonProcessingException e) {
      return Optional.empty();
    }
  }
}
