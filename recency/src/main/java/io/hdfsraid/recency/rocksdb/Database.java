// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.rocksdb;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.Cache;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.CompactRangeOptions;
import org.rocksdb.CompressionType;
import org.rocksdb.DBOptions;
import org.rocksdb.EnvOptions;
import org.rocksdb.Filter;
import org.rocksdb.FlushOptions;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.IngestExternalFileOptions;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.PerfLevel;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.SstFileWriter;
import org.rocksdb.Status;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/**
 * A RocksDB database with column families. This class owns all native objects and frees them when
 * it is closed. Safe for concurrent use until then.
 */
public final class Database implements AutoCloseable {
  private static final long BLOCK_BYTES = 8 << 10;
  private static final int BACKGROUND_JOBS = 2;

  /** Bits for each key: one look-up in a hundred of an absent key reads a block in vain. */
  private static final double BLOOM_BITS = 10;

  /** Share of the write buffer: most keys that are looked up are not in there. */
  private static final double BLOOM_IN_MEMORY = 0.02;

  /** ZSTD takes a third less space, but four times as long to read a file by its inode id. */
  private static final CompressionType COMPRESSION = CompressionType.LZ4_COMPRESSION;

  private final Path folder;
  private final String name;
  private final Cache cache;
  private final Filter bloom = new BloomFilter(BLOOM_BITS);
  private final ColumnFamilyOptions familyOptions;
  private final DBOptions options;
  private final WriteOptions writeOptions = new WriteOptions();
  private final Map<String, ColumnFamilyHandle> handles = new HashMap<>();
  private RocksDB db;

  /**
   * Memory that RocksDB may use.
   *
   * @param cacheBytes for blocks that were read
   * @param writeBufferBytes for changes that are not in a table file yet
   */
  public record Memory(long cacheBytes, long writeBufferBytes) {}

  private Database(Path folder, String name, Memory memory) {
    this.folder = folder;
    this.name = name;
    this.cache = new LRUCache(memory.cacheBytes());
    this.familyOptions =
        new ColumnFamilyOptions()
            .setTableFormatConfig(
                new BlockBasedTableConfig()
                    .setBlockCache(cache)
                    .setBlockSize(BLOCK_BYTES)
                    .setFilterPolicy(bloom))
            // Most keys that are looked for exist, in the last level: that needs no filter.
            .setOptimizeFiltersForHits(true)
            .setCompressionType(COMPRESSION)
            .setMemtablePrefixBloomSizeRatio(BLOOM_IN_MEMORY)
            .setMemtableWholeKeyFiltering(true);
    this.options =
        new DBOptions()
            .setCreateIfMissing(true)
            .setCreateMissingColumnFamilies(true)
            .setDbWriteBufferSize(memory.writeBufferBytes())
            .setMaxBackgroundJobs(BACKGROUND_JOBS)
            .setMaxOpenFiles(512)
            .setKeepLogFileNum(2)
            .setInfoLogLevel(InfoLogLevel.WARN_LEVEL);
  }

  /**
   * Opens or creates the database in a folder that exists.
   *
   * @param name what the folder holds, for messages
   * @param families are created if they are missing
   * @throws DatabaseException if the database is damaged or the folder cannot be used
   */
  public static Database open(
      Path folder, String name, Memory memory, Collection<? extends ColumnFamily> families) {
    RocksDB.loadLibrary();
    Database database = new Database(folder, name, memory);
    try {
      database.openFamilies(families);
      return database;
    } catch (RocksDBException e) {
      database.close();
      throw database.cannotOpen(e);
    } catch (RuntimeException e) {
      database.close();
      throw e;
    }
  }

  private void openFamilies(Collection<? extends ColumnFamily> families) throws RocksDBException {
    Set<String> names = new LinkedHashSet<>();
    names.add("default");
    // RocksDB opens a database only if all its column families are named, also unknown ones.
    try (Options listing = new Options()) {
      for (byte[] found : RocksDB.listColumnFamilies(listing, folder.toString())) {
        names.add(new String(found, UTF_8));
      }
    }
    families.forEach(family -> names.add(family.family()));
    List<ColumnFamilyDescriptor> descriptors =
        names.stream()
            .map(each -> new ColumnFamilyDescriptor(each.getBytes(UTF_8), familyOptions))
            .toList();
    List<ColumnFamilyHandle> opened = new ArrayList<>();
    db = RocksDB.open(options, folder.toString(), descriptors, opened);
    int index = 0;
    for (String each : names) {
      handles.put(each, opened.get(index++));
    }
  }

  private ColumnFamilyHandle handle(ColumnFamily family) {
    return handles.get(family.family());
  }

  /** Returns the names of all column families. */
  Set<String> families() {
    return Set.copyOf(handles.keySet());
  }

  /** Returns the value, or null if there is none. */
  public byte[] get(ColumnFamily family, byte[] key) {
    try {
      return db.get(handle(family), key);
    } catch (RocksDBException e) {
      throw failed("read", e);
    }
  }

  /** Returns the value of each key, or null; cheaper than single calls if the keys are sorted. */
  public List<byte[]> getAll(ColumnFamily family, List<byte[]> keys) {
    if (keys.isEmpty()) {
      return List.of(); // RocksDB refuses an empty list
    }
    try {
      return db.multiGetAsList(Collections.nCopies(keys.size(), handle(family)), keys);
    } catch (RocksDBException e) {
      throw failed("read", e);
    }
  }

  public void put(ColumnFamily family, byte[] key, byte[] value) {
    try {
      db.put(handle(family), writeOptions, key, value);
    } catch (RocksDBException e) {
      throw failed("write", e);
    }
  }

  /** Removes all entries from {@code from} up to, but not including, {@code to}. */
  void removeRange(ColumnFamily family, byte[] from, byte[] to) {
    try {
      db.deleteRange(handle(family), writeOptions, from, to);
    } catch (RocksDBException e) {
      throw failed("write", e);
    }
  }

  /** Visits all entries in the order of their keys, until the visitor returns false. */
  public void forEach(ColumnFamily family, BiPredicate<byte[], byte[]> visitor) {
    try (Cursor cursor = cursor(family)) {
      for (cursor.seekToFirst(); cursor.isValid(); cursor.next()) {
        if (!visitor.test(cursor.key(), cursor.value())) {
          return;
        }
      }
    }
  }

  public Cursor cursor(ColumnFamily family) {
    return new Cursor(family);
  }

  /** Goes through a column family in the order of its keys, as it was when this was created. */
  public final class Cursor implements AutoCloseable {
    private final ReadOptions readOptions = new ReadOptions();
    private final RocksIterator entries;

    private Cursor(ColumnFamily family) {
      entries = db.newIterator(handle(family), readOptions);
    }

    /** Goes to the first entry that is not before this key. */
    public void seek(byte[] key) {
      entries.seek(key);
    }

    /** Goes to the last entry that is not after this key. */
    public void seekBackwards(byte[] key) {
      entries.seekForPrev(key);
    }

    public void seekToFirst() {
      entries.seekToFirst();
    }

    public void seekToLast() {
      entries.seekToLast();
    }

    public void next() {
      entries.next();
    }

    public void previous() {
      entries.prev();
    }

    /** Returns false after the last entry. */
    public boolean isValid() {
      if (entries.isValid()) {
        return true;
      }
      try {
        entries.status();
        return false;
      } catch (RocksDBException e) {
        throw failed("read", e);
      }
    }

    public byte[] key() {
      return entries.key();
    }

    public byte[] value() {
      return entries.value();
    }

    @Override
    public void close() {
      entries.close();
      readOptions.close();
    }
  }

  /**
   * Changes that take effect together or not at all. They are written in the order of their keys,
   * which is faster: RocksDB searches the place of each key from that of the one before it.
   */
  public final class Changes {
    private final Map<ColumnFamily, List<Change>> changed = new HashMap<>();

    private Changes() {}

    public void put(ColumnFamily family, byte[] key, byte[] value) {
      add(family, new Change(key, Optional.of(value)));
    }

    public void remove(ColumnFamily family, byte[] key) {
      add(family, new Change(key, Optional.empty()));
    }

    private void add(ColumnFamily family, Change change) {
      changed.computeIfAbsent(family, key -> new ArrayList<>()).add(change);
    }

    public void commit() {
      if (changed.isEmpty()) {
        return;
      }
      try (WriteBatch batch = new WriteBatch()) {
        for (Map.Entry<ColumnFamily, List<Change>> each : changed.entrySet()) {
          // The sort is stable: of several changes of one key the last one counts.
          each.getValue().sort(Change.BY_KEY);
          for (Change change : each.getValue()) {
            change.addTo(batch, handle(each.getKey()));
          }
        }
        db.write(writeOptions, batch);
      } catch (RocksDBException e) {
        throw failed("write", e);
      }
    }
  }

  /** The new value of a key; empty if the key is removed. */
  private static final class Change {
    private static final Comparator<Change> BY_KEY =
        (one, other) -> Arrays.compareUnsigned(one.key, other.key);

    private final byte[] key;
    private final Optional<byte[]> value;

    private Change(byte[] key, Optional<byte[]> value) {
      this.key = key;
      this.value = value;
    }

    private void addTo(WriteBatch batch, ColumnFamilyHandle family) throws RocksDBException {
      if (value.isPresent()) {
        batch.put(family, key, value.get());
      } else {
        batch.delete(family, key);
      }
    }
  }

  public Changes changes() {
    return new Changes();
  }

  /** Returns a writer of a file for {@link #ingest}; keys must be added in their order. */
  SstFileWriter tableFile(Path file) {
    try (Options tableOptions = new Options(options, familyOptions);
        EnvOptions environment = new EnvOptions()) {
      SstFileWriter writer = new SstFileWriter(environment, tableOptions);
      try {
        writer.open(file.toString());
        return writer;
      } catch (RocksDBException e) {
        writer.close();
        throw failed("write", e);
      }
    }
  }

  DatabaseException failedToWrite(RocksDBException e) {
    return failed("write", e);
  }

  /** Adds files of entries, which must not overlap, by moving them into the database. */
  void ingest(ColumnFamily family, List<Path> files) {
    if (files.isEmpty()) {
      return;
    }
    try (IngestExternalFileOptions how = new IngestExternalFileOptions()) {
      how.setMoveFiles(true);
      db.ingestExternalFile(handle(family), files.stream().map(Path::toString).toList(), how);
    } catch (RocksDBException e) {
      throw failed("write", e);
    }
  }

  /** Frees the space of removed and replaced entries. Takes as long as rewriting all of them. */
  public void compact(Collection<? extends ColumnFamily> families) {
    for (ColumnFamily family : families) {
      try (CompactRangeOptions all =
          new CompactRangeOptions()
              .setBottommostLevelCompaction(CompactRangeOptions.BottommostLevelCompaction.kForce)) {
        db.compactRange(handle(family), null, null, all);
      } catch (RocksDBException e) {
        throw failed("compact", e);
      }
    }
  }

  /** Frees the space of entries that were removed since the last compaction. */
  void compact(ColumnFamily family) {
    try {
      db.compactRange(handle(family));
    } catch (RocksDBException e) {
      throw failed("compact", e);
    }
  }

  /** Frees the space of removed entries between two keys. */
  public void compact(ColumnFamily family, byte[] from, byte[] to) {
    try {
      db.compactRange(handle(family), from, to);
    } catch (RocksDBException e) {
      throw failed("compact", e);
    }
  }

  /** Returns a number that grows with each change. */
  public long sequence() {
    return db.getLatestSequenceNumber();
  }

  /** Makes sure that all changes survive a crash of the machine. */
  public void sync() {
    try (FlushOptions wait = new FlushOptions().setWaitForFlush(true)) {
      db.flush(wait, List.copyOf(handles.values()));
      db.syncWal();
    } catch (RocksDBException e) {
      throw failed("write", e);
    }
  }

  /**
   * Reads all entries on disk and compares their checksums.
   *
   * @throws DatabaseException at the first that is wrong
   */
  public void verify() {
    try {
      db.verifyChecksum();
    } catch (RocksDBException e) {
      throw failed("verify", e);
    }
  }

  /** Returns the size of the entries on disk, without the latest, which are still in memory. */
  public long bytes(ColumnFamily family) {
    try {
      return db.getLongProperty(handle(family), "rocksdb.total-sst-files-size");
    } catch (RocksDBException e) {
      throw failed("read", e);
    }
  }

  /** Returns how many removed entries the iterators of this thread have skipped since it asked. */
  long skippedByThisThread() {
    db.setPerfLevel(PerfLevel.ENABLE_COUNT);
    return db.getPerfContext().getInternalDeleteSkippedCount();
  }

  /** An entry has bytes that its format does not understand. */
  public DatabaseException damaged(ColumnFamily family, RuntimeException e) {
    return DatabaseException.unreadable(
        name, folder, "an entry of " + family.family() + " is damaged: " + e.getMessage());
  }

  private DatabaseException cannotOpen(RocksDBException e) {
    String message = String.valueOf(e.getMessage());
    // A file of the database that is missing is damage, too.
    if (e.getStatus() != null
        && e.getStatus().getCode() == Status.Code.IOError
        && !message.contains("No such file")) {
      return new DatabaseException(
          "The %s in %s cannot be opened: %s".formatted(name, folder, message), e);
    }
    return DatabaseException.unreadable(name, folder, message);
  }

  private DatabaseException failed(String what, RocksDBException e) {
    if (e.getStatus() != null && e.getStatus().getCode() == Status.Code.Corruption) {
      return DatabaseException.unreadable(name, folder, e.getMessage());
    }
    return new DatabaseException(
        "Cannot %s the %s in %s: %s".formatted(what, name, folder, e.getMessage()), e);
  }

  @Override
  public void close() {
    handles.values().forEach(ColumnFamilyHandle::close);
    handles.clear();
    if (db != null) {
      db.close();
    }
    writeOptions.close();
    options.close();
    familyOptions.close();
    bloom.close();
    cache.close();
  }
}
