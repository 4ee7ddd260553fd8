// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.index;

import io.hdfsraid.policies.FileFacts.Trait;
import io.hdfsraid.recency.index.Generation.Place;
import io.hdfsraid.recency.namespace.Access;
import io.hdfsraid.recency.namespace.Inode;
import io.hdfsraid.recency.namespace.Inode.Snapshots;
import io.hdfsraid.recency.namespace.NamespaceEvent;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ObjLongConsumer;
import java.util.stream.Stream;

/**
 * Applies events and accesses to an index update. An event may concern entries that the index does
 * not know, because the index has drifted: a missing directory is created provisionally, and a
 * change of an unknown entry is ignored. The next rebuild repairs both.
 */
final class EventApplier {
  /** In characters; a NameNode refuses longer paths. */
  private static final int LONGEST_PATH = 8_000;

  private final IndexUpdate update;
  private final AccessDecay decay;
  private final RecentRenames renames;
  private final ChangeCollector changes = new ChangeCollector();

  /** Look-ups of directories since the last change of a directory. */
  private final Map<String, Optional<Long>> folders = new HashMap<>();

  private long foldersAsOf;

  /**
   * @param renames takes the renames
   */
  EventApplier(IndexUpdate update, AccessDecay decay, RecentRenames renames) {
    this.update = update;
    this.decay = decay;
    this.renames = renames;
  }

  /** Reads the entries at these paths at once, which is cheaper than one by one. */
  void prefetch(Stream<String> paths) {
    List<Place> places = new ArrayList<>();
    paths.forEach(
        path -> folderOf(path).ifPresent(parent -> places.add(Place.of(parent, nameOf(path)))));
    update.prefetchPlaces(places);
  }

  /** Returns the files that the events so far concern. */
  FileChanges changes() {
    return changes.changes();
  }

  /**
   * Applies an event.
   *
   * @return whether the index knew all entries that the event concerns
   */
  boolean apply(NamespaceEvent event) {
    if (event instanceof NamespaceEvent.TimesSet times) {
      return change(
          event.path(),
          file -> {
            FileEntry changed =
                times.modified() < 0 || times.modified() == file.modified()
                    ? file
                    : file.modifiedAt(times.modified()).unskipped();
            if (times.accessed() < 0) {
              return changed;
            }
            // A read does not set the modification time. If both are set, a user has set them.
            return times.modified() < 0
                ? changed.recordedAccess(times.accessed(), decay)
                : changed.accessedAt(times.accessed()).unskipped();
          });
    }
    if (event instanceof NamespaceEvent.Closed closed) {
      return changeFacts(event.path(), file -> closed(file, closed));
    }
    if (event instanceof NamespaceEvent.Appended) {
      return changeFacts(
          event.path(),
          file -> {
            changes.changed(file, event.path());
            return file.of(file.shared().with(Trait.UNDER_CONSTRUCTION)).markedStale();
          });
    }
    if (event instanceof NamespaceEvent.Truncated truncated) {
      return changeFacts(
          event.path(),
          file -> {
            changes.changed(file, event.path());
            return file.resized(truncated.length()).modifiedAt(truncated.at()).markedStale();
          });
    }
    if (event instanceof NamespaceEvent.ReplicationSet set) {
      return changeFacts(
          event.path(),
          file -> {
            changes.replicationSet(file, event.path(), set.replication());
            return file.of(file.shared().withReplication(set.replication()));
          });
    }
    if (event instanceof NamespaceEvent.AccessSet) {
      if (event.path().equals("/")) {
        reportBelow(Inode.ROOT);
        return true;
      }
      Optional<Entry> entry = find(event.path());
      if (entry.isPresent() && entry.get() instanceof FileEntry file) {
        changes.changed(file, event.path());
      } else if (entry.isPresent() && entry.get() instanceof DirectoryEntry directory) {
        reportBelow(directory.id());
      }
      return entry.isPresent();
    }
    if (event instanceof NamespaceEvent.OwnerSet owner) {
      return own(owner);
    }
    if (event instanceof NamespaceEvent.FileCreated created) {
      return create(created);
    }
    if (event instanceof NamespaceEvent.DirectoryCreated created) {
      return create(created);
    }
    if (event instanceof NamespaceEvent.SymlinkCreated) {
      return create(event.path(), (id, parent, name) -> new LinkEntry(id, parent, name));
    }
    if (event instanceof NamespaceEvent.Deleted) {
      Optional<Entry> entry = find(event.path());
      entry.ifPresent(this::remove);
      return entry.isPresent();
    }
    NamespaceEvent.Renamed renamed = (NamespaceEvent.Renamed) event;
    renames.add(renamed.path(), renamed.to(), renamed.at());
    return rename(renamed);
  }

  /** Counts an access to a file. */
  boolean read(Access access, ObjLongConsumer<Access> listener) {
    return change(
        access.path(),
        file -> {
          listener.accept(access, file.id());
          return file.readAt(access.at(), decay);
        });
  }

  /** The change of a file by an event. */
  @FunctionalInterface
  private interface Edit {
    FileEntry of(FileEntry file);
  }

  private void remove(Entry entry) {
    changes.removed(entry);
    update.remove(entry);
  }

  /** Has the files below a directory reported, whose access rights by path may have changed. */
  private void reportBelow(long directory) {
    update.add(new DeferredTask(DeferredTask.Task.REPORT_FILES, directory));
  }

  private boolean change(String path, Edit edit) {
    Optional<Entry> entry = find(path);
    if (entry.isPresent() && entry.get() instanceof FileEntry file) {
      update.change(edit.of(file));
      return true;
    }
    // Directories have times, too, but the index does not keep them.
    return entry.isPresent() || path.equals("/");
  }

  private boolean changeFacts(String path, Edit edit) {
    Optional<Entry> entry = find(path);
    if (entry.isPresent() && entry.get() instanceof FileEntry file) {
      update.changeFacts(edit.of(file).unskipped());
      return true;
    }
    return false;
  }

  private static FileEntry closed(FileEntry file, NamespaceEvent.Closed closed) {
    FileEntry whole =
        file.modifiedAt(closed.at()).of(file.shared().without(Trait.UNDER_CONSTRUCTION));
    return closed.length() < 0 ? whole.markedStale() : whole.resized(closed.length());
  }

  private boolean own(NamespaceEvent.OwnerSet set) {
    if (set.path().equals("/")) {
      reportBelow(Inode.ROOT);
      return true;
    }
    Optional<Entry> found = find(set.path());
    if (found.isEmpty()) {
      return false;
    }
    if (found.get() instanceof FileEntry file) {
      changes.changed(file, set.path());
      SharedAttributes shared = file.shared();
      update.changeFacts(
          file.of(
                  shared.ownedBy(
                      set.owner() == null ? shared.owner() : set.owner(),
                      set.group() == null ? shared.group() : set.group()))
              .unskipped());
    } else if (found.get() instanceof DirectoryEntry directory) {
      reportBelow(directory.id());
      update.changeFacts(
          directory.ownedBy(
              set.owner() == null ? directory.owner() : set.owner(),
              set.group() == null ? directory.group() : set.group()));
    }
    return true;
  }

  private boolean create(NamespaceEvent.FileCreated created) {
    SharedAttributes shared =
        new SharedAttributes(
            created.blockSize(),
            created.replication(),
            created.owner(),
            created.group(),
            0,
            created.striped()
                ? Set.of(Trait.UNDER_CONSTRUCTION, Trait.STRIPED)
                : Set.of(Trait.UNDER_CONSTRUCTION));
    return create(
        created.path(),
        (id, parent, name) ->
            new FileEntry(
                id, parent, name, 0, 0, created.at(), created.at(), shared, 0, true, 0, 0));
  }

  private boolean create(NamespaceEvent.DirectoryCreated created) {
    if (created.path().equals("/") || find(created.path()).orElse(null) instanceof DirectoryEntry) {
      return true;
    }
    return create(
        created.path(),
        (id, parent, name) ->
            new DirectoryEntry(
                id, parent, name, created.owner(), created.group(), 0, Snapshots.NONE));
  }

  /** Creates an entry from its number and place. */
  @FunctionalInterface
  private interface Making {
    Entry of(long id, long parent, String name);
  }

  private boolean create(String path, Making making) {
    String name = nameOf(path);
    if (name.isEmpty()) {
      return false;
    }
    boolean known = folderOf(path).isPresent();
    long parent = makeFolders(path);
    update.child(parent, name).ifPresent(this::remove);
    update.add(making.of(update.nextProvisional(), parent, name));
    return known;
  }

  private boolean rename(NamespaceEvent.Renamed renamed) {
    String name = nameOf(renamed.to());
    if (renamed.path().equals(renamed.to())) {
      return true;
    }
    if (name.isEmpty() || renamed.to().startsWith(renamed.path() + "/")) {
      return false;
    }
    Optional<Entry> entry = find(renamed.path());
    boolean known = entry.isPresent() && folderOf(renamed.to()).isPresent();
    if (entry.isEmpty()) {
      find(renamed.to()).ifPresent(this::remove);
      return false;
    }
    long parent = makeFolders(renamed.to());
    Entry moving = entry.get();
    if (isIn(parent, moving)) {
      return false;
    }
    Optional<Entry> there = update.child(parent, name);
    if (there.isPresent()) {
      remove(there.get());
    }
    Entry unskipped = moving instanceof FileEntry file ? file.unskipped() : moving;
    update.change(unskipped);
    update.move(unskipped, parent, name);
    if (moving instanceof FileEntry file) {
      changes.accessChanged(file);
    } else if (moving instanceof DirectoryEntry directory) {
      reportBelow(directory.id());
    }
    return known;
  }

  /** Returns whether a directory is the given one or below it. */
  private boolean isIn(long directory, Entry entry) {
    if (!(entry instanceof DirectoryEntry)) {
      return false;
    }
    long id = directory;
    for (int deep = 0; deep < 1000 && id != Inode.ROOT; deep++) {
      if (id == entry.id()) {
        return true;
      }
      Optional<DirectoryEntry> above = update.directory(id);
      if (above.isEmpty()) {
        return false;
      }
      id = above.get().parent();
    }
    return false;
  }

  Optional<Entry> find(String path) {
    String name = nameOf(path);
    if (name.isEmpty()) {
      return Optional.empty();
    }
    return folderOf(path).flatMap(parent -> update.child(parent, name));
  }

  private Optional<Long> folderOf(String path) {
    if (foldersAsOf != update.directoryChanges()) {
      folders.clear();
      foldersAsOf = update.directoryChanges();
    }
    return folder(above(path));
  }

  /** Most directories are close to one that was looked up before. */
  private Optional<Long> folder(String path) {
    if (path.length() > LONGEST_PATH) {
      return Optional.empty(); // of a damaged line, say
    }
    Deque<String> unknown = new ArrayDeque<>();
    String at = path;
    while (!at.isEmpty() && !folders.containsKey(at)) {
      unknown.push(at);
      at = above(at);
    }
    Optional<Long> id = at.isEmpty() ? Optional.of(Inode.ROOT) : folders.get(at);
    for (String below : unknown) {
      String name = nameOf(below);
      id = name.isEmpty() ? id : id.flatMap(parent -> update.step(parent, name));
      folders.put(below, id);
    }
    return id;
  }

  /** Returns the parent directory of a path, and creates it if it is missing. */
  long makeFolders(String path) {
    Optional<Long> known = folderOf(path);
    if (known.isPresent()) {
      return known.get();
    }
    long at = Inode.ROOT;
    for (String name : components(above(path))) {
      Optional<Long> next = update.step(at, name);
      at = next.isPresent() ? next.get() : makeFolder(at, name);
    }
    return at;
  }

  private long makeFolder(long parent, String name) {
    update.child(parent, name).ifPresent(update::remove);
    long id = update.nextProvisional();
    update.add(DirectoryEntry.assumed(id, parent, name));
    return id;
  }

  private static List<String> components(String folder) {
    List<String> names = new ArrayList<>();
    int from = 1;
    for (int slash = folder.indexOf('/', from); slash >= 0; slash = folder.indexOf('/', from)) {
      if (slash > from) {
        names.add(folder.substring(from, slash));
      }
      from = slash + 1;
    }
    if (from < folder.length()) {
      names.add(folder.substring(from));
    }
    return names;
  }

  /** Returns the path of the parent directory; empty for the root. */
  private static String above(String path) {
    return path.substring(0, Math.max(0, path.lastIndexOf('/')));
  }

  static String nameOf(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }
}
