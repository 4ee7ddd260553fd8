package io.hdfsraid.raidnode.catalog;

import io.hdfsraid.raidnode.catalog.problem.CatalogException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiPredicate;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.Cache;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.DBOptions;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.PerfLevel;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Status;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/**
 * RocksDB with typed tables. All native objects live in here and are closed with it; every method
 * may be called from any thread until then.
 */
final class Store implements AutoCloseable {
  private static final long CACHE_BYTES = 64L << 20;
  private static final long WRITE_BUFFER_BYTES = 64L << 20;

  private final Path folder;
  private final Cache cache = new LRUCache(CACHE_BYTES);
  private final ColumnFamilyOptions familyOptions;
  private final DBOptions options;
  private final WriteOptions writeOptions = new WriteOptions();
  private final Map<String, ColumnFamilyHandle> families = new HashMap<>();
  private final LongAdder visited = new LongAdder();
  private RocksDB db;

  private Store(Path folder) {
    this.folder = folder;
    this.familyOptions =
        new ColumnFamilyOptions()
            .setTableFormatConfig(new BlockBasedTableConfig().setBlockCache(cache));
    this.options =
        new DBOptions()
            .setCreateIfMissing(true)
            .setCreateMissingColumnFamilies(true)
            .setDbWriteBufferSize(WRITE_BUFFER_BYTES)
            .setMaxOpenFiles(512)
            .setKeepLogFileNum(2)
            .setInfoLogLevel(InfoLogLevel.WARN_LEVEL);
  }

  /** Opens or makes the database in a folder that exists. */
  static Store open(Path folder) throws RocksDBException {
    RocksDB.loadLibrary();
    Store store = new Store(folder);
    try {
      store.openFamilies();
      return store;
    } catch (RocksDBException | RuntimeException e) {
      store.close();
      throw e;
    }
  }

  private void openFamilies() throws RocksDBException {
    Set<String> names = new LinkedHashSet<>();
    names.add("default");
    // Those of a newer version too, without which RocksDB does not open, so that it can be named.
    try (Options listing = new Options()) {
      for (byte[] name : RocksDB.listColumnFamilies(listing, folder.toString())) {
        names.add(Tables.TEXT.decode().apply(name));
      }
    }
    Tables.ALL.forEach(table -> names.add(table.name()));
    List<ColumnFamilyDescriptor> descriptors =
        names.stream()
            .map(
                name -> new ColumnFamilyDescriptor(Tables.TEXT.encode().apply(name), familyOptions))
            .toList();
    List<ColumnFamilyHandle> handles = new ArrayList<>();
    db = RocksDB.open(options, folder.toString(), descriptors, handles);
    int index = 0;
    for (String name : names) {
      families.put(name, handles.get(index++));
    }
  }

  <K, V> Optional<V> get(Table<K, V> table, K key) {
    try {
      byte[] bytes = db.get(family(table), table.key().encode().apply(key));
      return Optional.ofNullable(bytes).map(value -> decode(table, table.value(), value));
    } catch (RocksDBException e) {
      throw failed("read", e);
    }
  }

  /**
   * Visits entries in the order of their keys, from the first that is not before {@code from},
   * until the visitor answers false. Entries that are never reached are never read.
   */
  <K, V> void ascend(Table<K, V> table, Optional<K> from, BiPredicate<K, V> visitor) {
    try (RocksIterator entries = db.newIterator(family(table))) {
      from.map(table.key().encode())
          .ifPresentOrElse(key -> entries.seek(key), () -> entries.seekToFirst());
      while (entries.isValid() && visit(table, entries, visitor)) {
        entries.next();
      }
      entries.status();
    } catch (RocksDBException e) {
      throw failed("read", e);
    }
  }

  /** The same, backwards from the last that is not after {@code from}. */
  <K, V> void descend(Table<K, V> table, Optional<K> from, BiPredicate<K, V> visitor) {
    try (RocksIterator entries = db.newIterator(family(table))) {
      from.map(table.key().encode())
          .ifPresentOrElse(key -> entries.seekForPrev(key), () -> entries.seekToLast());
      while (entries.isValid() && visit(table, entries, visitor)) {
        entries.prev();
      }
      entries.status();
    } catch (RocksDBException e) {
      throw failed("read", e);
    }
  }

  private <K, V> boolean visit(
      Table<K, V> table, RocksIterator entries, BiPredicate<K, V> visitor) {
    visited.increment();
    return visitor.test(
        decode(table, table.key(), entries.key()), decode(table, table.value(), entries.value()));
  }

  private <T> T decode(Table<?, ?> table, Format<T> format, byte[] bytes) {
    try {
      return format.decode().apply(bytes);
    } catch (RuntimeException e) {
      throw CatalogException.unreadable(
          folder, "an entry of " + table.name() + " is damaged: " + e.getMessage());
    }
  }

  /** Changes that take effect together or not at all. */
  final class Changes implements AutoCloseable {
    private final WriteBatch batch = new WriteBatch();

    private Changes() {}

    <K, V> Changes put(Table<K, V> table, K key, V value) {
      try {
        batch.put(
            family(table), table.key().encode().apply(key), table.value().encode().apply(value));
        return this;
      } catch (RocksDBException e) {
        throw failed("write", e);
      }
    }

    <K, V> Changes remove(Table<K, V> table, K key) {
      try {
        batch.delete(family(table), table.key().encode().apply(key));
        return this;
      } catch (RocksDBException e) {
        throw failed("write", e);
      }
    }

    /** Removes all entries from {@code from} up to, but not including, {@code to}. */
    <K, V> Changes removeRange(Table<K, V> table, K from, K to) {
      try {
        batch.deleteRange(
            family(table), table.key().encode().apply(from), table.key().encode().apply(to));
        return this;
      } catch (RocksDBException e) {
        throw failed("write", e);
      }
    }

    void commit() {
      try {
        db.write(writeOptions, batch);
      } catch (RocksDBException e) {
        throw failed("write", e);
      }
    }

    @Override
    public void close() {
      batch.close();
    }
  }

  Changes changes() {
    return new Changes();
  }

  <K, V> void put(Table<K, V> table, K key, V value) {
    try (Changes changes = changes()) {
      changes.put(table, key, value).commit();
    }
  }

  <K, V> void remove(Table<K, V> table, K key) {
    try (Changes changes = changes()) {
      changes.remove(table, key).commit();
    }
  }

  /** Gives back what removed entries still cost those who pass over them. */
  void compact(Table<?, ?> table) {
    try {
      db.compactRange(family(table));
    } catch (RocksDBException e) {
      throw failed("compact", e);
    }
  }

  /**
   * Entries that were visited, and removed ones that this thread had to pass over since it asked.
   */
  long steps() {
    db.setPerfLevel(PerfLevel.ENABLE_COUNT);
    return visited.sum() + db.getPerfContext().getInternalDeleteSkippedCount();
  }

  /** Names of the column families found or made. */
  Set<String> families() {
    return Set.copyOf(families.keySet());
  }

  private ColumnFamilyHandle family(Table<?, ?> table) {
    return families.get(table.name());
  }

  private CatalogException failed(String what, RocksDBException e) {
    if (e.getStatus() != null && e.getStatus().getCode() == Status.Code.Corruption) {
      return CatalogException.unreadable(folder, e.getMessage());
    }
    return new CatalogException(
        "Cannot %s the catalog in %s: %s".formatted(what, folder, e.getMessage()), e);
  }

  @Override
  public void close() {
    families.values().forEach(ColumnFamilyHandle::close);
    families.clear();
    if (db != null) {
      db.close();
    }
    writeOptions.close();
    options.close();
    familyOptions.close();
    cache.close();
  }
}
