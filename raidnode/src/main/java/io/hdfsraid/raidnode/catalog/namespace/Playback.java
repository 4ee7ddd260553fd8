package io.hdfsraid.raidnode.catalog.namespace;

import io.hdfsraid.policies.FileFacts.Trait;
import io.hdfsraid.raidnode.catalog.namespace.Generation.Place;
import io.hdfsraid.raidnode.namespace.Access;
import io.hdfsraid.raidnode.namespace.Inode;
import io.hdfsraid.raidnode.namespace.Inode.Snapshots;
import io.hdfsraid.raidnode.namespace.NamespaceEvent;
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
 * Changes a draft as events tell. What an event presupposes and the index does not know is drift: a
 * missing directory is made, provisionally, and a change of an entry that is not known is passed
 * over, until the index is built anew.
 */
final class Playback {
  /** In characters; a NameNode takes no longer one. */
  private static final int LONGEST_PATH = 8_000;

  private final Draft draft;
  private final Smoothing smoothing;

  /** Those that were asked for, and where they are, since directories were changed last. */
  private final Map<String, Optional<Long>> folders = new HashMap<>();

  private long foldersAsOf;

  Playback(Draft draft, Smoothing smoothing) {
    this.draft = draft;
    this.smoothing = smoothing;
  }

  /** These are going to be looked for: many at once are cheaper than one after the other. */
  void expect(Stream<String> paths) {
    List<Place> places = new ArrayList<>();
    paths.forEach(
        path -> folderOf(path).ifPresent(parent -> places.add(Place.of(parent, nameOf(path)))));
    draft.expectPlaces(places);
  }

  /**
   * Changes the draft as an event tells.
   *
   * @return whether all was known that it presupposes
   */
  boolean play(NamespaceEvent event) {
    if (event instanceof NamespaceEvent.TimesSet times) {
      return change(
          event.path(),
          file -> {
            FileEntry changed =
                times.modified() < 0 || times.modified() == file.modified()
                    ? file
                    : file.modifiedAt(times.modified()).ranked();
            if (times.accessed() < 0) {
              return changed;
            }
            // Reads set no time of change: whoever sets both says what they are to be.
            return times.modified() < 0
                ? changed.recordedAccess(times.accessed(), smoothing)
                : changed.accessedAt(times.accessed()).ranked();
          });
    }
    if (event instanceof NamespaceEvent.Closed closed) {
      return changeFacts(event.path(), file -> closed(file, closed));
    }
    if (event instanceof NamespaceEvent.Appended) {
      return changeFacts(
          event.path(), file -> file.of(file.kind().with(Trait.UNDER_CONSTRUCTION)).doubtful());
    }
    if (event instanceof NamespaceEvent.Truncated truncated) {
      return changeFacts(
          event.path(),
          file -> file.resized(truncated.length()).modifiedAt(truncated.at()).doubtful());
    }
    if (event instanceof NamespaceEvent.ReplicationSet set) {
      return changeFacts(
          event.path(), file -> file.of(file.kind().withReplication(set.replication())));
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
      entry.ifPresent(draft::remove);
      return entry.isPresent();
    }
    return rename((NamespaceEvent.Renamed) event);
  }

  /** Somebody read a file. */
  boolean read(Access access, ObjLongConsumer<Access> told) {
    return change(
        access.path(),
        file -> {
          told.accept(access, file.id());
          return file.readAt(access.at(), smoothing);
        });
  }

  /** What an event does to a file. */
  @FunctionalInterface
  private interface Edit {
    FileEntry of(FileEntry file);
  }

  private boolean change(String path, Edit edit) {
    Optional<Entry> entry = find(path);
    if (entry.isPresent() && entry.get() instanceof FileEntry file) {
      draft.change(edit.of(file));
      return true;
    }
    // Directories have times, too, and nobody asks for them.
    return entry.isPresent() || path.equals("/");
  }

  private boolean changeFacts(String path, Edit edit) {
    Optional<Entry> entry = find(path);
    if (entry.isPresent() && entry.get() instanceof FileEntry file) {
      draft.changeFacts(edit.of(file).ranked());
      return true;
    }
    return false;
  }

  private static FileEntry closed(FileEntry file, NamespaceEvent.Closed closed) {
    FileEntry whole =
        file.modifiedAt(closed.at()).of(file.kind().without(Trait.UNDER_CONSTRUCTION));
    return closed.length() < 0 ? whole.doubtful() : whole.resized(closed.length());
  }

  private boolean own(NamespaceEvent.OwnerSet set) {
    Optional<Entry> found = find(set.path());
    if (found.isEmpty()) {
      return set.path().equals("/");
    }
    if (found.get() instanceof FileEntry file) {
      Kind kind = file.kind();
      draft.changeFacts(
          file.of(
                  kind.ownedBy(
                      set.owner() == null ? kind.owner() : set.owner(),
                      set.group() == null ? kind.group() : set.group()))
              .ranked());
    } else if (found.get() instanceof DirectoryEntry directory) {
      draft.changeFacts(
          directory.ownedBy(
              set.owner() == null ? directory.owner() : set.owner(),
              set.group() == null ? directory.group() : set.group()));
    }
    return true;
  }

  private boolean create(NamespaceEvent.FileCreated created) {
    Kind kind =
        new Kind(
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
            new FileEntry(id, parent, name, 0, 0, created.at(), created.at(), kind, 0, true, 0, 0));
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

  /** How an entry is made of its number and place. */
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
    draft.child(parent, name).ifPresent(draft::remove);
    draft.add(making.of(draft.nextProvisional(), parent, name));
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
      find(renamed.to()).ifPresent(draft::remove);
      return false;
    }
    long parent = makeFolders(renamed.to());
    Entry moving = entry.get();
    if (isIn(parent, moving)) {
      return false;
    }
    Optional<Entry> there = draft.child(parent, name);
    if (there.isPresent()) {
      draft.remove(there.get());
    }
    Entry ranked = moving instanceof FileEntry file ? file.ranked() : moving;
    draft.change(ranked);
    draft.move(ranked, parent, name);
    return known;
  }

  /** Whether a directory is the given one or below it. */
  private boolean isIn(long directory, Entry entry) {
    if (!(entry instanceof DirectoryEntry)) {
      return false;
    }
    long id = directory;
    for (int deep = 0; deep < 1000 && id != Inode.ROOT; deep++) {
      if (id == entry.id()) {
        return true;
      }
      Optional<DirectoryEntry> above = draft.directory(id);
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
    return folderOf(path).flatMap(parent -> draft.child(parent, name));
  }

  private Optional<Long> folderOf(String path) {
    if (foldersAsOf != draft.directoryChanges()) {
      folders.clear();
      foldersAsOf = draft.directoryChanges();
    }
    return folder(above(path));
  }

  /** Most are near one that was asked for before. */
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
      id = name.isEmpty() ? id : id.flatMap(parent -> draft.step(parent, name));
      folders.put(below, id);
    }
    return id;
  }

  /** The directory a path is in, which there is afterwards. */
  long makeFolders(String path) {
    Optional<Long> known = folderOf(path);
    if (known.isPresent()) {
      return known.get();
    }
    long at = Inode.ROOT;
    for (String name : components(above(path))) {
      Optional<Long> next = draft.step(at, name);
      at = next.isPresent() ? next.get() : makeFolder(at, name);
    }
    return at;
  }

  private long makeFolder(long parent, String name) {
    draft.child(parent, name).ifPresent(draft::remove);
    long id = draft.nextProvisional();
    draft.add(DirectoryEntry.assumed(id, parent, name));
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

  /** The path of the directory it is in, empty for the root. */
  private static String above(String path) {
    return path.substring(0, Math.max(0, path.lastIndexOf('/')));
  }

  static String nameOf(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }
}
