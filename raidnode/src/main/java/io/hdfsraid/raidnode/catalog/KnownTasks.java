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
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The tasks that have ended, and those that had not when they were stored last. The newest {@value
 * #MOST} changes and the newest {@value #MOST_QUESTIONS} checks of the last seven days are kept:
 * viewers may ask for checks, and must not push out what operators have changed. A task is stored
 * twice: in brief, so that lists are cheap, and with what it was asked for and has found.
 */
public final class KnownTasks {
  static final int MOST = 1_000;
  static final int MOST_QUESTIONS = 100;
  static final Duration LONGEST = Duration.ofDays(7);

  private static final ObjectMapper JSON = ApiJson.ofFiles();

  private final TableStore store;
  private final NavigableSet<Long> changes = new TreeSet<>();
  private final NavigableSet<Long> questions = new TreeSet<>();

  KnownTasks(TableStore store) {
    this.store = store;
    store.ascend(
        Tables.TASKS,
        Optional.empty(),
        (id, json) -> task(json).map(this::kind).orElse(changes).add(id));
  }

  private NavigableSet<Long> kind(TaskReport task) {
    return task.action() == ChangePreview.Action.FSCK ? questions : changes;
  }

  /** Returns the greatest id that was stored; 0 if there is none. */
  public synchronized long newest() {
    return Stream.of(changes, questions)
        .filter(ids -> !ids.isEmpty())
        .mapToLong(NavigableSet::last)
        .max()
        .orElse(0);
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
    kind(task).add(number);
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
    trim(changes, MOST, oldest, needed);
    trim(questions, MOST_QUESTIONS, oldest, needed);
  }

  private void trim(NavigableSet<Long> ids, int most, long oldest, Predicate<Long> needed) {
    for (long id : List.copyOf(ids)) {
      if (id >= oldest && ids.size() <= most) {
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
    changes.remove(number);
    questions.remove(number);
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
