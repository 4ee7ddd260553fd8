// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.rocksdb;

import java.nio.file.Path;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiPredicate;

/** A {@link Database} with typed tables. Safe for concurrent use until it is closed. */
public final class TableStore implements AutoCloseable {
  private final Database database;
  private final LongAdder visited = new LongAdder();

  private TableStore(Database database) {
    this.database = database;
  }

  /**
   * Opens or creates a database.
   *
   * @param name what the folder holds, for messages
   * @throws DatabaseException if it cannot be opened
   */
  public static TableStore open(
      Path folder, String name, Database.Memory memory, Collection<Table<?, ?>> tables) {
    return new TableStore(Database.open(folder, name, memory, tables));
  }

  public <K, V> Optional<V> get(Table<K, V> table, K key) {
    return Optional.ofNullable(database.get(table, table.key().encode().apply(key)))
        .map(value -> decode(table, table.value(), value));
  }

  /**
   * Visits entries in the order of their keys, from the first that is not before {@code from},
   * until the visitor returns false. Later entries are never read.
   */
  public <K, V> void ascend(Table<K, V> table, Optional<K> from, BiPredicate<K, V> visitor) {
    try (Database.Cursor cursor = database.cursor(table)) {
      from.map(table.key().encode()).ifPresentOrElse(cursor::seek, cursor::seekToFirst);
      while (cursor.isValid() && visit(table, cursor, visitor)) {
        cursor.next();
      }
    }
  }

  /** Visits entries backwards, from the last that is not after {@code from}. */
  public <K, V> void descend(Table<K, V> table, Optional<K> from, BiPredicate<K, V> visitor) {
    try (Database.Cursor cursor = database.cursor(table)) {
      from.map(table.key().encode()).ifPresentOrElse(cursor::seekBackwards, cursor::seekToLast);
      while (cursor.isValid() && visit(table, cursor, visitor)) {
        cursor.previous();
      }
    }
  }

  private <K, V> boolean visit(
      Table<K, V> table, Database.Cursor cursor, BiPredicate<K, V> visitor) {
    visited.increment();
    return visitor.test(
        decode(table, table.key(), cursor.key()), decode(table, table.value(), cursor.value()));
  }

  private <T> T decode(Table<?, ?> table, Format<T> format, byte[] bytes) {
    try {
      return format.decode().apply(bytes);
    } catch (RuntimeException e) {
      throw database.damaged(table, e);
    }
  }

  /** Changes that take effect together or not at all. */
  public final class Changes {
    private final Database.Changes changes = database.changes();

    private Changes() {}

    public <K, V> Changes put(Table<K, V> table, K key, V value) {
      changes.put(table, table.key().encode().apply(key), table.value().encode().apply(value));
      return this;
    }

    public <K, V> Changes remove(Table<K, V> table, K key) {
      changes.remove(table, table.key().encode().apply(key));
      return this;
    }

    public void commit() {
      changes.commit();
    }
  }

  public Changes changes() {
    return new Changes();
  }

  public <K, V> void put(Table<K, V> table, K key, V value) {
    changes().put(table, key, value).commit();
  }

  public <K, V> void remove(Table<K, V> table, K key) {
    changes().remove(table, key).commit();
  }

  /** Removes all entries from {@code from} up to, but not including, {@code to}. */
  public <K, V> void removeRange(Table<K, V> table, K from, K to) {
    database.removeRange(table, table.key().encode().apply(from), table.key().encode().apply(to));
  }

  /**
   * Reads all entries of a table.
   *
   * @return how many there are
   * @throws DatabaseException if one cannot be understood
   */
  public <K, V> long count(Table<K, V> table) {
    long[] entries = {0};
    ascend(
        table,
        Optional.empty(),
        (key, value) -> {
          entries[0]++;
          return true;
        });
    return entries[0];
  }

  /**
   * Reads all entries on disk and compares their checksums.
   *
   * @throws DatabaseException at the first that is wrong
   */
  public void verifyChecksums() {
    database.verify();
  }

  /** Frees the space of removed entries, and the time that iterators spend on them. */
  public void compact(Table<?, ?> table) {
    database.compact(table);
  }

  /** Returns how many entries were visited, and how many removed ones this thread skipped. */
  public long steps() {
    return visited.sum() + database.skippedByThisThread();
  }

  /** Returns a number that grows with each change. */
  public long sequence() {
    return database.sequence();
  }

  /** Returns the names of all column families, also of those that are no table of ours. */
  public Set<String> families() {
    return database.families();
  }

  @Override
  public void close() {
    database.close();
  }
}
