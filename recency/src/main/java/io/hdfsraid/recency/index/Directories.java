// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.index;

import io.hdfsraid.recency.namespace.Inode;
import io.hdfsraid.recency.namespace.Inode.Snapshots;
import io.hdfsraid.recency.rocksdb.Database;
import io.hdfsraid.recency.rocksdb.RecordReader;
import java.util.Collection;
import java.util.Optional;

/** The directories and their paths. Frequent look-ups are cached. */
final class Directories {
  /**
   * HDFS allows fewer levels. Listings that were made while directories moved may contain cycles.
   */
  private static final int DEEPEST = 1_000;

  private static final DirectoryEntry ROOT =
      new DirectoryEntry(Inode.ROOT, 0, "", "", "", 0, Snapshots.NONE);

  private final Database database;
  private final ApproximateLruCache<Long, DirectoryEntry> entries;
  private final ApproximateLruCache<Long, DirectoryPath> directoryPaths;

  Directories(Database database, int kept) {
    this.database = database;
    this.entries = new ApproximateLruCache<>(kept);
    this.directoryPaths = new ApproximateLruCache<>(kept);
  }

  Optional<DirectoryEntry> find(long id) {
    Optional<DirectoryEntry> kept = entries.find(id);
    if (kept.isPresent()) {
      return kept;
    }
    long changes = entries.changes();
    byte[] bytes = database.get(Column.DIRECTORIES, Keys.inode(id));
    if (bytes == null) {
      return id == Inode.ROOT ? Optional.of(ROOT) : Optional.empty();
    }
    DirectoryEntry found;
    try {
      found = EntryFormats.readDirectory(id, new RecordReader(bytes));
    } catch (RuntimeException e) {
      throw database.damaged(Column.DIRECTORIES, e);
    }
    entries.keep(id, found, changes);
    return Optional.of(found);
  }

  /** Returns the path of a directory; empty if a directory on it was removed. */
  Optional<DirectoryPath> directoryPath(long id) {
    return directoryPath(id, DEEPEST);
  }

  private Optional<DirectoryPath> directoryPath(long id, int deepest) {
    Optional<DirectoryPath> kept = directoryPaths.find(id);
    if (kept.isPresent() || deepest == 0) {
      return kept;
    }
    long changes = directoryPaths.changes();
    Optional<DirectoryPath> directoryPath =
        find(id)
            .flatMap(
                directory ->
                    directory.isRoot()
                        ? Optional.of(
                            new DirectoryPath(
                                "", hasSnapshots(directory), directory.storagePolicy()))
                        : directoryPath(directory.parent(), deepest - 1)
                            .map(above -> extend(above, directory)));
    directoryPath.ifPresent(found -> directoryPaths.keep(id, found, changes));
    return directoryPath;
  }

  private static DirectoryPath extend(DirectoryPath above, DirectoryEntry directory) {
    return new DirectoryPath(
        above.path() + "/" + directory.name(),
        above.snapshots() || hasSnapshots(directory),
        directory.storagePolicy() == 0 ? above.storagePolicy() : directory.storagePolicy());
  }

  private static boolean hasSnapshots(DirectoryEntry directory) {
    return directory.snapshots() == Snapshots.TAKEN;
  }

  /** Drops directories that were created, changed or removed from the cache. */
  void changed(Collection<Long> ids) {
    entries.forget(ids);
    directoryPaths.forgetAll();
  }
}
