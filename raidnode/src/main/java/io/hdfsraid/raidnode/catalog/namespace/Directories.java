package io.hdfsraid.raidnode.catalog.namespace;

import io.hdfsraid.raidnode.namespace.Inode;
import io.hdfsraid.raidnode.namespace.Inode.Snapshots;
import java.util.Collection;
import java.util.Optional;

/** The directories, and the ways to them. Those that are asked for again are kept in memory. */
final class Directories {
  /** HDFS allows fewer. Listings that were made while directories moved may tell of circles. */
  private static final int DEEPEST = 1_000;

  private static final DirectoryEntry ROOT =
      new DirectoryEntry(Inode.ROOT, 0, "", "", "", 0, Snapshots.NONE);

  private final Database database;
  private final RecentlyUsed<Long, DirectoryEntry> entries;
  private final RecentlyUsed<Long, Trail> trails;

  Directories(Database database, int kept) {
    this.database = database;
    this.entries = new RecentlyUsed<>(kept);
    this.trails = new RecentlyUsed<>(kept);
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
      found = Formats.readDirectory(id, new RecordReader(bytes));
    } catch (RuntimeException e) {
      throw database.damaged(Column.DIRECTORIES, e);
    }
    entries.keep(id, found, changes);
    return Optional.of(found);
  }

  /** The way to a directory; empty when there is none, since one on it was removed. */
  Optional<Trail> trail(long id) {
    return trail(id, DEEPEST);
  }

  private Optional<Trail> trail(long id, int deepest) {
    Optional<Trail> kept = trails.find(id);
    if (kept.isPresent() || deepest == 0) {
      return kept;
    }
    long changes = trails.changes();
    Optional<Trail> trail =
        find(id)
            .flatMap(
                directory ->
                    directory.isRoot()
                        ? Optional.of(
                            new Trail("", hasSnapshots(directory), directory.storagePolicy()))
                        : trail(directory.parent(), deepest - 1)
                            .map(above -> extend(above, directory)));
    trail.ifPresent(found -> trails.keep(id, found, changes));
    return trail;
  }

  private static Trail extend(Trail above, DirectoryEntry directory) {
    return new Trail(
        above.path() + "/" + directory.name(),
        above.snapshots() || hasSnapshots(directory),
        directory.storagePolicy() == 0 ? above.storagePolicy() : directory.storagePolicy());
  }

  private static boolean hasSnapshots(DirectoryEntry directory) {
    return directory.snapshots() == Snapshots.TAKEN;
  }

  /** These have been made, changed or removed. */
  void changed(Collection<Long> ids) {
    entries.forget(ids);
    trails.forgetAll();
  }
}
