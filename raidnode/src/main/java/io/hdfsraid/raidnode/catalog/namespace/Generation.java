package io.hdfsraid.raidnode.catalog.namespace;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.hdfsraid.raidnode.catalog.problem.CatalogException;
import io.hdfsraid.raidnode.namespace.Watermark;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The index as it has been since it was last built anew. It is closed when nobody uses it any more.
 */
final class Generation {
  /** Changes whenever a key format does; the folder is then rebuilt, never migrated. */
  static final int FORMAT = 1;

  /**
   * Of each thing that is kept in memory at least so many, and at most twice, of some 400 bytes.
   */
  static final int KEPT = 100_000;

  /** Directories are asked for by all their files, and take less room. */
  private static final int STEPS_FOR_A_FILE = 2;

  private static final byte[] STATE = "state".getBytes(UTF_8);
  private static final String WATERMARK = "watermark/";

  private final Path folder;
  private final Database database;
  private final Kinds kinds;
  private final Directories directories;
  private final int kept;
  private final RecentlyUsed<Step, Long> steps;
  private final RecentlyUsed<Place, FileEntry> alone;

  /** The index itself is one user. */
  private final AtomicInteger users = new AtomicInteger(1);

  private volatile State state;
  private volatile boolean obsolete;

  /** Where an entry is looked for. */
  record Place(long parent, int hash) {
    static Place of(long parent, String name) {
      return new Place(parent, Keys.hash(name));
    }

    static Place of(Entry entry) {
      return of(entry.parent(), entry.name());
    }
  }

  /** From a directory to one in it. */
  record Step(long parent, String name) {}

  private Generation(Path folder, Database database, int kept) {
    this.folder = folder;
    this.database = database;
    this.kept = kept;
    this.steps = new RecentlyUsed<>(STEPS_FOR_A_FILE * kept);
    this.alone = new RecentlyUsed<>(kept);
    this.kinds = new Kinds(database);
    this.directories = new Directories(database, kept);
    byte[] stored = database.get(Column.META, STATE);
    this.state = stored == null ? State.NEW : State.decode(stored);
  }

  /**
   * Opens or makes the one in a folder that exists.
   *
   * @param kept how many of each are kept in memory: {@link #KEPT}, but in tests
   */
  static Generation open(Path folder, int kept) {
    Database database = Database.open(folder);
    try {
      return new Generation(folder, database, kept);
    } catch (IllegalArgumentException e) {
      database.close();
      throw CatalogException.unreadable(folder, e.getMessage());
    } catch (RuntimeException e) {
      database.close();
      throw e;
    }
  }

  Path folder() {
    return folder;
  }

  int kept() {
    return kept;
  }

  Database database() {
    return database;
  }

  Kinds kinds() {
    return kinds;
  }

  Directories directories() {
    return directories;
  }

  /** Used by the writer only. */
  RecentlyUsed<Step, Long> steps() {
    return steps;
  }

  /**
   * Files that were looked for lately, and with which nothing shares its place. Used by the writer
   * only.
   */
  RecentlyUsed<Place, FileEntry> alone() {
    return alone;
  }

  State state() {
    return state;
  }

  /** Writes it with other changes; it holds when they do. */
  void write(State next, Database.Changes changes) {
    changes.put(Column.META, STATE, next.encode());
  }

  void holds(State next) {
    state = next;
  }

  Optional<Watermark> watermark(String source) {
    byte[] position = database.get(Column.META, watermarkKey(source));
    return Optional.ofNullable(position)
        .map(bytes -> new Watermark(source, new String(bytes, UTF_8)));
  }

  List<Watermark> watermarks() {
    List<Watermark> found = new ArrayList<>();
    byte[] first = WATERMARK.getBytes(UTF_8);
    try (Database.Cursor cursor = database.cursor(Column.META)) {
      for (cursor.seek(first); cursor.isValid(); cursor.next()) {
        String key = new String(cursor.key(), UTF_8);
        if (!key.startsWith(WATERMARK)) {
          break;
        }
        found.add(
            new Watermark(key.substring(WATERMARK.length()), new String(cursor.value(), UTF_8)));
      }
    }
    return found;
  }

  void write(Watermark watermark, Database.Changes changes) {
    changes.put(
        Column.META, watermarkKey(watermark.source()), watermark.position().getBytes(UTF_8));
  }

  private static byte[] watermarkKey(String source) {
    return (WATERMARK + source).getBytes(UTF_8);
  }

  Optional<FileEntry> file(long id) {
    return Optional.ofNullable(database.get(Column.FILES, Keys.inode(id)))
        .map(bytes -> decodeFile(id, bytes));
  }

  FileEntry decodeFile(long id, byte[] bytes) {
    try {
      return Formats.readFile(id, new RecordReader(bytes), kinds);
    } catch (RuntimeException e) {
      throw database.damaged(Column.FILES, e);
    }
  }

  Optional<LinkEntry> link(long id) {
    byte[] bytes = database.get(Column.LINKS, Keys.inode(id));
    if (bytes == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(Formats.readLink(id, new RecordReader(bytes)));
    } catch (RuntimeException e) {
      throw database.damaged(Column.LINKS, e);
    }
  }

  Optional<? extends Entry> entry(Child child) {
    return switch (child.type()) {
      case FILE -> file(child.id());
      case DIRECTORY -> directories.find(child.id());
      case LINK -> link(child.id());
    };
  }

  /** What is at a place: of one name, or of several that share a hash. */
  List<Child> children(long parent, int hash) {
    byte[] bytes = database.get(Column.PLACES, Keys.place(parent, hash));
    return bytes == null ? List.of() : decodeChildren(bytes);
  }

  List<Child> decodeChildren(byte[] bytes) {
    try {
      return Child.decode(bytes);
    } catch (RuntimeException e) {
      throw database.damaged(Column.PLACES, e);
    }
  }

  /** What is in a directory under a name. */
  Optional<Entry> child(long parent, String name) {
    for (Child child : children(parent, Keys.hash(name))) {
      Optional<? extends Entry> entry =
          entry(child).filter(found -> found.parent() == parent && found.name().equals(name));
      if (entry.isPresent()) {
        return Optional.of(entry.get());
      }
    }
    return Optional.empty();
  }

  /** Whether it may be used, until it is {@linkplain #leave left}. */
  boolean enter() {
    for (int now = users.get(); now > 0; now = users.get()) {
      if (users.compareAndSet(now, now + 1)) {
        return true;
      }
    }
    return false;
  }

  /** The last one to leave closes it. */
  void leave() {
    if (users.decrementAndGet() == 0) {
      database.close();
      if (obsolete) {
        IndexFolder.removeQuietly(folder);
      }
    }
  }

  /** It does not count any more: when the last one has left, its folder goes, too. */
  void retire() {
    obsolete = true;
    leave();
  }
}
