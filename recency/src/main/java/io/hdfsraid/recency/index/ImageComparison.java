// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.index;

import io.hdfsraid.recency.namespace.Inode;
import io.hdfsraid.recency.rocksdb.Database.Cursor;
import io.hdfsraid.recency.rocksdb.RecordReader;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Compares an image with the old generation: finds what the old generation knew of each inode, and
 * counts the differences.
 */
final class ImageComparison {
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
  private long provisionalFound;

  ImageComparison(Generation old, long transaction) {
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
    byte[] last = old.database().get(Column.LAST_CHANGES, key);
    return last != null && new RecordReader(last).unsigned() > transaction;
  }

  /**
   * Compares a directory of the image; they come in the order of their inode ids.
   *
   * @return whether the old generation knew the directory in another place, so that all files below
   *     have other paths
   */
  boolean compare(DirectoryEntry inImage) {
    Optional<DirectoryEntry> known = Optional.empty();
    for (; directories.isValid(); directories.next()) {
      long id = Keys.inode(directories.key());
      if (id > inImage.id()) {
        break;
      }
      if (id == inImage.id()) {
        known = old.directories().find(id);
      } else {
        passed(id, id);
      }
    }
    if (known.isEmpty()) {
      if (hasProvisional) {
        unknown.put(inImage.id(), inImage);
      } else if (inImage.id() != Inode.ROOT) {
        miss(inImage.id());
      }
    } else if (!known.get().name().equals(inImage.name())
        || (known.get().parent() != inImage.parent() && known.get().parent() > 0)) {
      differ(inImage.id());
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
    for (DirectoryEntry inImage : unknown.values()) {
      if (inImage.id() != Inode.ROOT && knownAs(inImage.id()) == MISSING) {
        miss(inImage.id());
      }
    }
  }

  /**
   * Returns the number under which the old generation knows a directory of the image. Returns
   * {@link #MISSING} if it does not, or {@link #TAKEN} if the directory was removed since, or was
   * moved while it was provisional.
   */
  private long knownAs(long directory) {
    DirectoryEntry inImage = unknown.get(directory);
    if (inImage == null || directory == Inode.ROOT) {
      return directory;
    }
    Long known = provisional.get(directory);
    if (known != null) {
      return known;
    }
    Optional<Entry> same = Optional.empty();
    long found = knownAs(inImage.parent());
    if (isTouched(directory)
        || (found != MISSING && found != TAKEN && isTaken(found, inImage.name()))) {
      found = TAKEN;
    } else if (found != MISSING && found != TAKEN) {
      same = provisionalAt(found, inImage.name()).filter(DirectoryEntry.class::isInstance);
      found = same.isPresent() ? same.get().id() : MISSING;
    }
    same.ifPresent(entry -> noteProvisional(entry.id()));
    provisional.put(directory, found);
    return found;
  }

  private Optional<Entry> provisionalAt(long parent, String name) {
    return old.child(parent, name).filter(Entry::isProvisional);
  }

  private boolean isTaken(long parent, String name) {
    return isTouched(Keys.place(parent, name));
  }

  /**
   * Returns what was known of a file. The cursor is at the first file that was not compared yet.
   */
  Optional<FileEntry> compare(FileEntry inImage, Cursor files) {
    Optional<FileEntry> known = Optional.empty();
    for (; files.isValid(); files.next()) {
      long id = Keys.inode(files.key());
      if (id > inImage.id()) {
        break;
      }
      FileEntry file = old.decodeFile(id, files.value());
      if (id == inImage.id()) {
        known = Optional.of(file);
      } else {
        passed(id, file.parent());
      }
    }
    if (known.isPresent()) {
      FileEntry file = known.get();
      if (!file.stale()
          && (!file.looksLike(inImage)
              || (file.parent() != inImage.parent() && file.parent() > 0))) {
        differ(inImage.id());
      }
      return known;
    }
    long parent = knownAs(inImage.parent());
    if (hasProvisional && parent != MISSING && parent != TAKEN) {
      known =
          provisionalAt(parent, inImage.name())
              .filter(FileEntry.class::isInstance)
              .map(FileEntry.class::cast);
    }
    if (known.isPresent()) {
      noteProvisional(known.get().id());
    } else if (parent != TAKEN && !(hasProvisional && isTaken(parent, inImage.name()))) {
      miss(inImage.id());
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
              0,
              provisionalOf(Column.FILES) + provisionalOf(Column.DIRECTORIES) - provisionalFound);
    }
  }

  /** Counts provisional entries that should be in the image. */
  private long provisionalOf(Column column) {
    long count = 0;
    try (Cursor cursor = old.database().cursor(column)) {
      for (cursor.seek(Keys.inode(Long.MIN_VALUE)); cursor.isValid(); cursor.next()) {
        long id = Keys.inode(cursor.key());
        if (id >= 0) {
          break;
        }
        long directory = column == Column.FILES ? old.decodeFile(id, cursor.value()).parent() : id;
        if (!isTouched(id) && old.directories().directoryPath(directory).isPresent()) {
          count++;
        }
      }
    }
    return count;
  }

  private void noteProvisional(long id) {
    if (comparable && !isTouched(id)) {
      provisionalFound++;
    }
  }

  private void passed(long id, long directory) {
    if (comparable && !isTouched(id) && old.directories().directoryPath(directory).isPresent()) {
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

  Optional<RebuildResult.Drift> result() {
    return comparable
        ? Optional.of(new RebuildResult.Drift(missing, extra, different))
        : Optional.empty();
  }
}
