// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.index;

import io.hdfsraid.recency.rocksdb.Database.Cursor;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/** Works on deferred tasks, a step at a time, so that other writers do not wait long. */
final class DeferredTaskRunner {
  private final Generation generation;
  private final IndexUpdate update;
  private final Deque<DeferredTask> deferred = new ArrayDeque<>();
  private final ChangeCollector changes = new ChangeCollector();
  private final ChangeListener listener;
  private int left;

  DeferredTaskRunner(Generation generation, int budget, ChangeListener listener) {
    this.generation = generation;
    this.listener = listener;
    this.update = new IndexUpdate(generation);
    this.left = budget;
  }

  /**
   * Continues until the budget is used up.
   *
   * @return how many entries were visited; less than the budget if no task is left
   */
  int run() {
    int budget = left;
    generation
        .database()
        .forEach(
            Column.DEFERRED_TASKS,
            (key, from) -> {
              deferred.add(taskOf(key));
              resume(deferred.remove(), from);
              while (left > 0 && !deferred.isEmpty()) {
                resume(deferred.remove(), new byte[0]);
              }
              return left > 0;
            });
    IndexCounters state = restored();
    listener.changed(changes.changes());
    update.commit(state, Optional.empty());
    return budget - left;
  }

  private DeferredTask taskOf(byte[] key) {
    try {
      return DeferredTask.ofKey(key);
    } catch (RuntimeException e) {
      throw generation.database().damaged(Column.DEFERRED_TASKS, e);
    }
  }

  private void resume(DeferredTask task, byte[] from) {
    long directory = task.directory();
    try (Cursor cursor = generation.database().cursor(Column.PLACES)) {
      for (cursor.seek(from.length == 0 ? Keys.place(directory, 0) : from);
          cursor.isValid();
          cursor.next()) {
        byte[] place = cursor.key();
        if (Keys.inode(place) != directory) {
          break;
        }
        if (left <= 0) {
          update.postpone(task, Keys.hashAt(place));
          return;
        }
        for (Child child : generation.decodeChildren(cursor.value())) {
          left--;
          see(task, Keys.hashAt(place), child);
        }
      }
    }
    // An empty directory also counts as one entry.
    left--;
    update.finish(task);
  }

  private void see(DeferredTask task, int hash, Child child) {
    Optional<Entry> entry =
        update
            .entry(child)
            .filter(found -> found.parent() == task.directory() && Keys.hash(found.name()) == hash);
    switch (task.task()) {
      case REMOVE_CONTENTS -> {
        if (entry.isPresent()) {
          changes.removed(entry.get());
          update.remove(entry.get());
        } else {
          update.displace(task.directory(), hash, child.id());
        }
      }
      case UNSKIP_FILES -> {
        if (entry.isPresent() && entry.get() instanceof FileEntry file && file.skipTag() != 0) {
          update.change(file.unskipped());
        } else if (entry.isPresent() && entry.get() instanceof DirectoryEntry) {
          update.add(new DeferredTask(DeferredTask.Task.UNSKIP_FILES, child.id()));
        }
      }
      case REPORT_FILES -> {
        if (entry.isPresent() && entry.get() instanceof FileEntry file) {
          changes.accessChanged(file);
        } else if (entry.isPresent() && entry.get() instanceof DirectoryEntry) {
          update.add(new DeferredTask(DeferredTask.Task.REPORT_FILES, child.id()));
        }
      }
    }
    if (entry.isPresent() && entry.get() instanceof DirectoryEntry directory) {
      deferred.add(new DeferredTask(task.task(), directory.id()));
    }
  }

  /** Moves some files that were skipped in earlier epochs back to their place in the order. */
  private IndexCounters restored() {
    IndexCounters state = generation.state();
    int oldest = state.oldestEpoch();
    List<Long> files = new ArrayList<>();
    try (Cursor cursor = generation.database().cursor(Column.ORDER)) {
      cursor.seek(Keys.rank(oldest, Long.MIN_VALUE, Long.MIN_VALUE));
      for (; left > 0 && oldest < state.epoch(); cursor.next()) {
        int epoch = cursor.isValid() ? Keys.epochAt(cursor.key()) : state.epoch();
        oldest = Math.min(epoch, state.epoch());
        if (oldest < state.epoch()) {
          files.add(Keys.inodeAt(cursor.key()));
          left--;
        } else {
          break;
        }
      }
    }
    update.prefetchFiles(files);
    for (long id : files) {
      update.file(id).ifPresent(file -> update.change(file.unskipped()));
    }
    return state.inEpoch(state.epoch(), oldest);
  }
}
