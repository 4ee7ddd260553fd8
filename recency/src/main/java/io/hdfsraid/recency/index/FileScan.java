// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.index;

import io.hdfsraid.recency.namespace.Inode;
import io.hdfsraid.recency.rocksdb.Database.Cursor;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Goes through the files of a generation, by inode id or by directory. */
final class FileScan {
  private static final int CHUNK = 1024;

  private final Generation generation;
  private final AccessDecay decay;

  FileScan(Generation generation, AccessDecay decay) {
    this.generation = generation;
    this.decay = decay;
  }

  Optional<IndexedFile> indexed(FileEntry file) {
    return generation
        .directories()
        .directoryPath(file.parent())
        .map(directoryPath -> IndexedFile.of(file, directoryPath, generation.state(), decay));
  }

  /** Visits all files in the order of their inode ids. */
  void all(FileVisitor visitor) {
    from(Long.MIN_VALUE, Long.MAX_VALUE, visitor);
  }

  /**
   * Visits some files in the order of their inode ids, from the one after {@code after}.
   *
   * @return the inode id of the last file that was visited; empty if no more follow
   */
  OptionalLong page(long after, int limit, FileVisitor visitor) {
    return after == Long.MAX_VALUE ? OptionalLong.empty() : from(after + 1, limit, visitor);
  }

  private OptionalLong from(long first, long limit, FileVisitor visitor) {
    long parent = 0;
    Optional<DirectoryPath> directoryPath = Optional.empty();
    try (Cursor cursor = generation.database().cursor(Column.FILES)) {
      long left = limit;
      for (cursor.seek(Keys.inode(first)); cursor.isValid(); cursor.next()) {
        long id = Keys.inode(cursor.key());
        FileEntry file = generation.decodeFile(id, cursor.value());
        if (file.parent() != parent || directoryPath.isEmpty()) {
          parent = file.parent();
          directoryPath = generation.directories().directoryPath(parent);
        }
        if (directoryPath.isPresent()
            && !visitor.look(
                IndexedFile.of(file, directoryPath.get(), generation.state(), decay))) {
          return OptionalLong.of(id);
        }
        if (--left == 0) {
          return OptionalLong.of(id);
        }
      }
      return OptionalLong.empty();
    }
  }

  /** Finds the entry at a path. */
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

  /** Visits the file at a path, or all files below it, a directory at a time. */
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

  /** Visits the files of a directory, without those of its subdirectories. */
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
