package io.hdfsraid.raidnode.catalog.namespace;

import io.hdfsraid.raidnode.catalog.namespace.Database.Cursor;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/** Does some of what was put off: a step at a time, so that it holds up nobody. */
final class Sweep {
  private final Generation generation;
  private final Draft draft;
  private final Deque<Chore> chores = new ArrayDeque<>();
  private int left;

  Sweep(Generation generation, int budget) {
    this.generation = generation;
    this.draft = new Draft(generation);
    this.left = budget;
  }

  /**
   * Goes on as far as the budget allows.
   *
   * @return how many entries were looked at; less than the budget when nothing is left to do
   */
  int run() {
    int budget = left;
    generation
        .database()
        .forEach(
            Column.CHORES,
            (key, from) -> {
              chores.add(choreOf(key));
              resume(chores.remove(), from);
              while (left > 0 && !chores.isEmpty()) {
                resume(chores.remove(), new byte[0]);
              }
              return left > 0;
            });
    State state = restored();
    draft.commit(state, Optional.empty());
    return budget - left;
  }

  private Chore choreOf(byte[] key) {
    try {
      return Chore.ofKey(key);
    } catch (RuntimeException e) {
      throw generation.database().damaged(Column.CHORES, e);
    }
  }

  private void resume(Chore chore, byte[] from) {
    long directory = chore.directory();
    try (Cursor cursor = generation.database().cursor(Column.PLACES)) {
      for (cursor.seek(from.length == 0 ? Keys.place(directory, 0) : from);
          cursor.isValid();
          cursor.next()) {
        byte[] place = cursor.key();
        if (Keys.inode(place) != directory) {
          break;
        }
        if (left <= 0) {
          draft.postpone(chore, Keys.hashAt(place));
          return;
        }
        for (Child child : generation.decodeChildren(cursor.value())) {
          left--;
          see(chore, Keys.hashAt(place), child);
        }
      }
    }
    // Also an empty directory costs a look.
    left--;
    draft.finish(chore);
  }

  private void see(Chore chore, int hash, Child child) {
    Optional<Entry> entry =
        draft
            .entry(child)
            .filter(
                found -> found.parent() == chore.directory() && Keys.hash(found.name()) == hash);
    switch (chore.task()) {
      case SWEEP -> {
        if (entry.isPresent()) {
          draft.remove(entry.get());
        } else {
          draft.displace(chore.directory(), hash, child.id());
        }
      }
      case RANK -> {
        if (entry.isPresent() && entry.get() instanceof FileEntry file && file.aside() != 0) {
          draft.change(file.ranked());
        } else if (entry.isPresent() && entry.get() instanceof DirectoryEntry) {
          draft.add(new Chore(Chore.Task.RANK, child.id()));
        }
      }
    }
    if (entry.isPresent() && entry.get() instanceof DirectoryEntry directory) {
      chores.add(new Chore(chore.task(), directory.id()));
    }
  }

  /** Files some of those that were set aside in old epochs where they belong. */
  private State restored() {
    State state = generation.state();
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
    draft.expectFiles(files);
    for (long id : files) {
      draft.file(id).ifPresent(file -> draft.change(file.ranked()));
    }
    return state.inEpoch(state.epoch(), oldest);
  }
}
