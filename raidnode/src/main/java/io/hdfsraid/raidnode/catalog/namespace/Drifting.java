package io.hdfsraid.raidnode.catalog.namespace;

import io.hdfsraid.raidnode.catalog.namespace.Database.Cursor;
import io.hdfsraid.raidnode.namespace.Inode;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** What the old generation knows of what the image tells, and how far that is from it. */
final class Drifting {
  private static final long MISSING = Long.MIN_VALUE;
  private static final long TAKEN = Long.MIN_VALUE + 1;

  private final Generation old;
  private final long transaction;
  private final boolean comparable;
  private final Cursor directories;
  private final Map<Long, DirectoryEntry> unknown = new HashMap<>();
  private final Map<Long, Long> provisional = new HashMap<>();
  private final boolean hasProvisional;
  private long missing;
  private long extra;
  private long different;
  private long provisionalMet;

  Drifting(Generation old, long transaction) {
    this.old = old;
    this.transaction = transaction;
    this.comparable = old.state().transaction() >= transaction;
    this.hasProvisional = old.state().provisional() < 0;
    this.directories = old.database().cursor(Column.DIRECTORIES);
    directories.seek(Keys.inode(0));
  }

  private boolean isTouched(long id) {
    return isTouched(Keys.inode(id));
  }

  private boolean isTouched(byte[] key) {
    byte[] last = old.database().get(Column.TOUCHED, key);
    return last != null && new RecordReader(last).unsigned() > transaction;
  }

  /**
   * Meets a directory of the image; they come in the order of their numbers.
   *
   * @return whether it is known elsewhere, so that all below it has other paths
   */
  boolean meet(DirectoryEntry told) {
    Optional<DirectoryEntry> known = Optional.empty();
    for (; directories.isValid(); directories.next()) {
      long id = Keys.inode(directories.key());
      if (id > told.id()) {
        break;
      }
      if (id == told.id()) {
        known = old.directories().find(id);
      } else {
        passed(id, id);
      }
    }
    if (known.isEmpty()) {
      if (hasProvisional) {
        unknown.put(told.id(), told);
      } else if (told.id() != Inode.ROOT) {
        miss(told.id());
      }
    } else if (!known.get().name().equals(told.name())
        || (known.get().parent() != told.parent() && known.get().parent() > 0)) {
      differ(told.id());
      return true;
    }
    return false;
  }

  void endOfDirectories() {
    for (; directories.isValid(); directories.next()) {
      long id = Keys.inode(directories.key());
      passed(id, id);
    }
    directories.close();
    for (DirectoryEntry told : unknown.values()) {
      if (told.id() != Inode.ROOT && knownAs(told.id()) == MISSING) {
        miss(told.id());
      }
    }
  }

  /**
   * The number under which the old generation has a directory of the image; {@link #MISSING}, or
   * {@link #TAKEN} when it has been removed since, or moved while it was provisional.
   */
  private long knownAs(long directory) {
    DirectoryEntry told = unknown.get(directory);
    if (told == null || directory == Inode.ROOT) {
      return directory;
    }
    Long known = provisional.get(directory);
    if (known != null) {
      return known;
    }
    Optional<Entry> same = Optional.empty();
    long found = knownAs(told.parent());
    if (isTouched(directory)
        || (found != MISSING && found != TAKEN && isTaken(found, told.name()))) {
      found = TAKEN;
    } else if (found != MISSING && found != TAKEN) {
      same = provisionalAt(found, told.name()).filter(DirectoryEntry.class::isInstance);
      found = same.isPresent() ? same.get().id() : MISSING;
    }
    same.ifPresent(entry -> meetProvisional(entry.id()));
    provisional.put(directory, found);
    return found;
  }

  private Optional<Entry> provisionalAt(long parent, String name) {
    return old.child(parent, name).filter(Entry::isProvisional);
  }

  private boolean isTaken(long parent, String name) {
    return isTouched(Keys.place(parent, name));
  }

  /** What was known of a file; the cursor is at the first that has not been met. */
  Optional<FileEntry> meet(FileEntry told, Cursor files) {
    Optional<FileEntry> known = Optional.empty();
    for (; files.isValid(); files.next()) {
      long id = Keys.inode(files.key());
      if (id > told.id()) {
        break;
      }
      FileEntry file = old.decodeFile(id, files.value());
      if (id == told.id()) {
        known = Optional.of(file);
      } else {
        passed(id, file.parent());
      }
    }
    if (known.isPresent()) {
      FileEntry file = known.get();
      if (!file.stale()
          && (!file.looksLike(told) || (file.parent() != told.parent() && file.parent() > 0))) {
        differ(told.id());
      }
      return known;
    }
    long parent = knownAs(told.parent());
    if (hasProvisional && parent != MISSING && parent != TAKEN) {
      known =
          provisionalAt(parent, told.name())
              .filter(FileEntry.class::isInstance)
              .map(FileEntry.class::cast);
    }
    if (known.isPresent()) {
      meetProvisional(known.get().id());
    } else if (parent != TAKEN && !(hasProvisional && isTaken(parent, told.name()))) {
      miss(told.id());
    }
    return known;
  }

  void endOfFiles(Cursor files) {
    for (; files.isValid(); files.next()) {
      long id = Keys.inode(files.key());
      passed(id, old.decodeFile(id, files.value()).parent());
    }
    if (comparable && hasProvisional) {
      extra +=
          Math.max(
              0, provisionalOf(Column.FILES) + provisionalOf(Column.DIRECTORIES) - provisionalMet);
    }
  }

  /** Those that should be in the image, too. */
  private long provisionalOf(Column column) {
    long count = 0;
    try (Cursor cursor = old.database().cursor(column)) {
      for (cursor.seek(Keys.inode(Long.MIN_VALUE)); cursor.isValid(); cursor.next()) {
        long id = Keys.inode(cursor.key());
        if (id >= 0) {
          break;
        }
        long directory = column == Column.FILES ? old.decodeFile(id, cursor.value()).parent() : id;
        if (!isTouched(id) && old.directories().trail(directory).isPresent()) {
          count++;
        }
      }
    }
    return count;
  }

  private void meetProvisional(long id) {
    if (comparable && !isTouched(id)) {
      provisionalMet++;
    }
  }

  private void passed(long id, long directory) {
    if (comparable && !isTouched(id) && old.directories().trail(directory).isPresent()) {
      extra++;
    }
  }

  private void miss(long id) {
    if (comparable && !isTouched(id)) {
      missing++;
    }
  }

  private void differ(long id) {
    if (comparable && !isTouched(id)) {
      different++;
    }
  }

  Optional<Rebuilt.Drift> result() {
    return comparable
        ? Optional.of(new Rebuilt.Drift(missing, extra, different))
        : Optional.empty();
  }
}
