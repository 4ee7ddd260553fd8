package io.hdfsraid.raidnode.catalog.namespace;

import io.hdfsraid.raidnode.catalog.namespace.Database.Cursor;
import io.hdfsraid.raidnode.namespace.Inode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Goes through the files of a generation, by number or by place. */
final class Walk {
  private static final int CHUNK = 1024;

  private final Generation generation;
  private final Smoothing smoothing;

  Walk(Generation generation, Smoothing smoothing) {
    this.generation = generation;
    this.smoothing = smoothing;
  }

  Optional<IndexedFile> indexed(FileEntry file) {
    return generation
        .directories()
        .trail(file.parent())
        .map(trail -> IndexedFile.of(file, trail, generation.state(), smoothing));
  }

  /** All files by number. */
  void all(FileVisitor visitor) {
    from(Long.MIN_VALUE, Long.MAX_VALUE, visitor);
  }

  /**
   * Some files by number, from the one after {@code after}.
   *
   * @return the last that was looked at; empty when there are no more behind it
   */
  OptionalLong page(long after, int limit, FileVisitor visitor) {
    return after == Long.MAX_VALUE ? OptionalLong.empty() : from(after + 1, limit, visitor);
  }

  private OptionalLong from(long first, long limit, FileVisitor visitor) {
    long parent = 0;
    Optional<Trail> trail = Optional.empty();
    try (Cursor cursor = generation.database().cursor(Column.FILES)) {
      long left = limit;
      for (cursor.seek(Keys.inode(first)); cursor.isValid(); cursor.next()) {
        long id = Keys.inode(cursor.key());
        FileEntry file = generation.decodeFile(id, cursor.value());
        if (file.parent() != parent || trail.isEmpty()) {
          parent = file.parent();
          trail = generation.directories().trail(parent);
        }
        if (trail.isPresent()
            && !visitor.look(IndexedFile.of(file, trail.get(), generation.state(), smoothing))) {
          return OptionalLong.of(id);
        }
        if (--left == 0) {
          return OptionalLong.of(id);
        }
      }
      return OptionalLong.empty();
    }
  }

  /** What is at a path. */
  Optional<Entry> find(String path) {
    Entry at = generation.directories().find(Inode.ROOT).orElseThrow();
    for (String name : path.split("/", -1)) {
      if (name.isEmpty()) {
        continue;
      }
      Optional<Entry> child = generation.child(at.id(), name);
      if (child.isEmpty()) {
        return Optional.empty();
      }
      at = child.get();
    }
    return Optional.of(at);
  }

  /** The file at a path, or all files below it, a directory at a time. */
  void below(String path, FileVisitor visitor) {
    Optional<Entry> top = find(path);
    if (top.isEmpty()) {
      return;
    }
    if (top.get() instanceof FileEntry file) {
      indexed(file).ifPresent(visitor::look);
      return;
    }
    Deque<Long> directories = new ArrayDeque<>();
    directories.push(top.get().id());
    while (!directories.isEmpty()) {
      if (!in(directories.pop(), directories, visitor)) {
        return;
      }
    }
  }

  /** All files of a directory, and none below. */
  void directly(String path, FileVisitor visitor) {
    find(path)
        .filter(DirectoryEntry.class::isInstance)
        .ifPresent(directory -> in(directory.id(), new ArrayDeque<>(), visitor));
  }

  private boolean in(long directory, Deque<Long> directories, FileVisitor visitor) {
    List<byte[]> files = new ArrayList<>();
    try (Cursor cursor = generation.database().cursor(Column.PLACES)) {
      for (cursor.seek(Keys.place(directory, 0)); cursor.isValid(); cursor.next()) {
        if (Keys.inode(cursor.key()) != directory) {
          break;
        }
        for (Child child : generation.decodeChildren(cursor.value())) {
          switch (child.type()) {
            case FILE -> files.add(Keys.inode(child.id()));
            case DIRECTORY -> directories.push(child.id());
            case LINK -> {}
          }
        }
        if (files.size() >= CHUNK) {
          if (!look(files, visitor)) {
            return false;
          }
          files.clear();
        }
      }
    }
    return look(files, visitor);
  }

  private boolean look(List<byte[]> keys, FileVisitor visitor) {
    List<byte[]> records = generation.database().getAll(Column.FILES, keys);
    for (int i = 0; i < keys.size(); i++) {
      byte[] record = records.get(i);
      Optional<IndexedFile> file =
          record == null
              ? Optional.empty()
              : indexed(generation.decodeFile(Keys.inode(keys.get(i)), record));
      if (file.isPresent() && !visitor.look(file.get())) {
        return false;
      }
    }
    return true;
  }
}
