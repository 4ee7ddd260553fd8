// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.index;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.hdfsraid.recency.namespace.Watermark;
import io.hdfsraid.recency.rocksdb.Database;
import io.hdfsraid.recency.rocksdb.DatabaseException;
import io.hdfsraid.recency.rocksdb.RecordReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** The index since the last rebuild. It is closed when its last user has ended. */
final class Generation {
  private static final Database.Memory MEMORY = new Database.Memory(256L << 20, 128L << 20);

  /** Changes whenever a key format does; the folder is then rebuilt, never migrated. */
  static final int FORMAT = 2;

  /**
   * At least so many entries are cached of each kind, and at most twice as many; each takes some
   * 400 bytes.
   */
  static final int KEPT = 100_000;

  /** Directories are looked up for each of their files, and take less memory. */
  private static final int STEPS_FOR_A_FILE = 2;

  private static final byte[] STATE = "state".getBytes(UTF_8);
  private static final String WATERMARK = "watermark/";

  private final Path folder;
  private final Database database;
  private final AttributeDictionary dictionary;
  private final Directories directories;
  private final int kept;
  private final ApproximateLruCache<Step, Long> steps;
  private final ApproximateLruCache<Place, FileEntry> alone;

  /** The index itself is one user. */
  private final AtomicInteger users = new AtomicInteger(1);

  private volatile IndexCounters state;
  private volatile boolean obsolete;

  /** The place of an entry: its directory and the hash of its name. */
  record Place(long parent, int hash) {
    static Place of(long parent, String name) {
      return new Place(parent, Keys.hash(name));
    }

    static Place of(Entry entry) {
      return of(entry.parent(), entry.name());
    }
  }

  /** A look-up of a subdirectory by name. */
  record Step(long parent, String name) {}

  private Generation(Path folder, Database database, int kept) {
    this.folder = folder;
    this.database = database;
    this.kept = kept;
    this.steps = new ApproximateLruCache<>(STEPS_FOR_A_FILE * kept);
    this.alone = new ApproximateLruCache<>(kept);
    this.dictionary = new AttributeDictionary(database);
    this.directories = new Directories(database, kept);
    byte[] stored = database.get(Column.META, STATE);
    this.state = stored == null ? IndexCounters.NEW : IndexCounters.decode(stored);
  }

  /**
   * Opens or creates a generation in a folder that exists.
   *
   * @param kept how many entries of each kind are cached: {@link #KEPT}, except in tests
   */
  static Generation open(Path folder, int kept) {
    Database database = Database.open(folder, IndexFolder.NAME, MEMORY, List.of(Column.values()));
    try {
      return new Generation(folder, database, kept);
    } catch (IllegalArgumentException e) {
      database.close();
      throw DatabaseException.unreadable(IndexFolder.NAME, folder, e.getMessage());
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

  AttributeDictionary dictionary() {
    return dictionary;
  }

  Directories directories() {
    return directories;
  }

  /** Used by the writer only. */
  ApproximateLruCache<Step, Long> steps() {
    return steps;
  }

  /**
   * Caches files that were looked up lately and that are alone at their place. Used by the writer
   * only.
   */
  ApproximateLruCache<Place, FileEntry> alone() {
    return alone;
  }

  IndexCounters state() {
    return state;
  }

  /** Adds the state to a set of changes; {@link #holds} makes it visible after they are written. */
  void write(IndexCounters next, Database.Changes changes) {
    changes.put(Column.META, STATE, next.encode());
  }

  void holds(IndexCounters next) {
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
      return EntryFormats.readFile(id, new RecordReader(bytes), dictionary);
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
      return Optional.of(EntryFormats.readLink(id, new RecordReader(bytes)));
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

  /** Returns the entries at a place: usually one, more if names share a hash. */
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

  /** Returns the entry of a directory under a name. */
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

  /**
   * Prevents the generation from being closed until {@link #leave}. Returns false if it is closed.
   */
  boolean enter() {
    for (int now = users.get(); now > 0; now = users.get()) {
      if (users.compareAndSet(now, now + 1)) {
        return true;
      }
    }
    return false;
  }

  /** Closes the generation if this was the last user. */
  void leave() {
    if (users.decrementAndGet() == 0) {
      database.close();
      if (obsolete) {
        IndexFolder.removeQuietly(folder);
      }
    }
  }

  /** Marks the generation as replaced: its folder is removed when the last user has left. */
  void retire() {
    obsolete = true;
    leave();
  }
}
