package io.hdfsraid.raidnode.catalog.namespace;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.hdfsraid.raidnode.catalog.problem.CatalogException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.SstFileWriter;
import org.rocksdb.Status;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/**
 * RocksDB with our column families. All native objects live in here and are closed with it; every
 * method may be called from any thread until then.
 */
final class Database implements AutoCloseable {
  private static final long CACHE_BYTES = 256L << 20;
  private static final long WRITE_BUFFER_BYTES = 128L << 20;
  private static final long BLOCK_BYTES = 8 << 10;
  private static final int BACKGROUND_JOBS = 2;

  /** For each key: one in a hundred is looked for in vain. */
  private static final double BLOOM_BITS = 10;

  /** Of what is kept in memory of latest changes: most of what is looked for is not in there. */
  private static final double BLOOM_IN_MEMORY = 0.02;

  /** ZSTD takes a third less room, and four times as long to read a file by its number. */
  private static final CompressionType COMPRESSION = CompressionType.LZ4_COMPRESSION;

  private final Path folder;
  private final Cache cache = new LRUCache(CACHE_BYTES);
  private final Filter bloom = new BloomFilter(BLOOM_BITS);
  private final ColumnFamilyOptions familyOptions;
  private final DBOptions options;
  private final WriteOptions writeOptions = new WriteOptions();
  private final Map<Column, ColumnFamilyHandle> families = new EnumMap<>(Column.class);
  private ColumnFamilyHandle unused;
  private RocksDB db;

  private Database(Path folder) {
    this.folder = folder;
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
            .setDbWriteBufferSize(WRITE_BUFFER_BYTES)
            .setMaxBackgroundJobs(BACKGROUND_JOBS)
            .setMaxOpenFiles(512)
            .setKeepLogFileNum(2)
            .setInfoLogLevel(InfoLogLevel.WARN_LEVEL);
  }

  /** Opens or makes the database in a folder that exists. */
  static Database open(Path folder) {
    RocksDB.loadLibrary();
    Database database = new Database(folder);
    try {
      database.openFamilies();
      return database;
    } catch (RocksDBException e) {
      CatalogException failure = database.failed("open", e);
      database.close();
      throw failure;
    } catch (RuntimeException e) {
      database.close();
      throw e;
    }
  }

  private void openFamilies() throws RocksDBException {
    List<ColumnFamilyDescriptor> descriptors = new ArrayList<>();
    descriptors.add(new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY, familyOptions));
    for (Column column : Column.values()) {
      descriptors.add(new ColumnFamilyDescriptor(column.family().getBytes(UTF_8), familyOptions));
    }
    List<ColumnFamilyHandle> handles = new ArrayList<>();
    db = RocksDB.open(options, folder.toString(), descriptors, handles);
    Iterator<ColumnFamilyHandle> opened = handles.iterator();
    unused = opened.next();
    for (Column column : Column.values()) {
      families.put(column, opened.next());
    }
  }

  /** Null where there is nothing. */
  byte[] get(Column column, byte[] key) {
    try {
      return db.get(families.get(column), key);
    } catch (RocksDBException e) {
      throw failed("read", e);
    }
  }

  /** Likewise, for each of many keys; cheaper, most of all when they are in order. */
  List<byte[]> getAll(Column column, List<byte[]> keys) {
    if (keys.isEmpty()) {
      return List.of(); // RocksDB wants one at least
    }
    try {
      return db.multiGetAsList(Collections.nCopies(keys.size(), families.get(column)), keys);
    } catch (RocksDBException e) {
      throw failed("read", e);
    }
  }

  void put(Column column, byte[] key, byte[] value) {
    try {
      db.put(families.get(column), writeOptions, key, value);
    } catch (RocksDBException e) {
      throw failed("write", e);
    }
  }

  /** Visits all entries in the order of their keys, until the visitor answers false. */
  void forEach(Column column, BiPredicate<byte[], byte[]> visitor) {
    try (Cursor cursor = cursor(column)) {
      for (cursor.seek(new byte[0]); cursor.isValid(); cursor.next()) {
        if (!visitor.test(cursor.key(), cursor.value())) {
          return;
        }
      }
    }
  }

  Cursor cursor(Column column) {
    return new Cursor(column);
  }

  /** Goes through a column family in the order of its keys, as it was when this was made. */
  final class Cursor implements AutoCloseable {
    private final ReadOptions readOptions = new ReadOptions();
    private final RocksIterator entries;

    private Cursor(Column column) {
      entries = db.newIterator(families.get(column), readOptions);
    }

    /** To the first that is not before this key. */
    void seek(byte[] key) {
      entries.seek(key);
    }

    void next() {
      entries.next();
    }

    boolean isValid() {
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

    byte[] key() {
      return entries.key();
    }

    byte[] value() {
      return entries.value();
    }

    @Override
    public void close() {
      entries.close();
      readOptions.close();
    }
  }

  /**
   * Changes that take effect together or not at all. They are written in the order of their keys:
   * RocksDB looks for the place of each from that of the one before it.
   */
  final class Changes {
    private final Map<Column, List<Change>> changed = new EnumMap<>(Column.class);

    private Changes() {}

    void put(Column column, byte[] key, byte[] value) {
      add(column, new Change(key, Optional.of(value)));
    }

    void remove(Column column, byte[] key) {
      add(column, new Change(key, Optional.empty()));
    }

    private void add(Column column, Change change) {
      changed.computeIfAbsent(column, key -> new ArrayList<>()).add(change);
    }

    void commit() {
      if (changed.isEmpty()) {
        return;
      }
      try (WriteBatch batch = new WriteBatch()) {
        for (Map.Entry<Column, List<Change>> each : changed.entrySet()) {
          // Of those with the same key the last one counts, as it came.
          each.getValue().sort(Change.BY_KEY);
          for (Change change : each.getValue()) {
            change.addTo(batch, families.get(each.getKey()));
          }
        }
        db.write(writeOptions, batch);
      } catch (RocksDBException e) {
        throw failed("write", e);
      }
    }
  }

  /** What becomes of a key: its value, which is empty where it is removed. */
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

  Changes changes() {
    return new Changes();
  }

  /** A file for {@link #ingest}, to be filled in the order of keys and to be closed. */
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

  CatalogException failedToWrite(RocksDBException e) {
    return failed("write", e);
  }

  /** Takes in files of entries, which do not overlap, by moving them here. */
  void ingest(Column column, List<Path> files) {
    if (files.isEmpty()) {
      return;
    }
    try (IngestExternalFileOptions how = new IngestExternalFileOptions()) {
      how.setMoveFiles(true);
      db.ingestExternalFile(families.get(column), files.stream().map(Path::toString).toList(), how);
    } catch (RocksDBException e) {
      throw failed("write", e);
    }
  }

  /** Gives back what removed and replaced entries cost. */
  void compact() {
    for (Column column : Column.values()) {
      try (CompactRangeOptions all =
          new CompactRangeOptions()
              .setBottommostLevelCompaction(CompactRangeOptions.BottommostLevelCompaction.kForce)) {
        db.compactRange(families.get(column), null, null, all);
      } catch (RocksDBException e) {
        throw failed("compact", e);
      }
    }
  }

  void compact(Column column, byte[] from, byte[] to) {
    try {
      db.compactRange(families.get(column), from, to);
    } catch (RocksDBException e) {
      throw failed("compact", e);
    }
  }

  /** Grows with each change. */
  long sequence() {
    return db.getLatestSequenceNumber();
  }

  /** What was written outlasts the machine from now on. */
  void sync() {
    try (FlushOptions wait = new FlushOptions().setWaitForFlush(true)) {
      db.flush(wait, List.copyOf(families.values()));
      db.syncWal();
    } catch (RocksDBException e) {
      throw failed("write", e);
    }
  }

  /** What all entries take on disk, but for the latest. */
  long bytes() {
    return Arrays.stream(Column.values()).mapToLong(this::bytes).sum();
  }

  /** What its entries take on disk, but for the latest. */
  long bytes(Column column) {
    try {
      return db.getLongProperty(families.get(column), "rocksdb.total-sst-files-size");
    } catch (RocksDBException e) {
      throw failed("read", e);
    }
  }

  CatalogException damaged(Column column, RuntimeException e) {
    return CatalogException.unreadable(
        folder, "an entry of " + column.family() + " is damaged: " + e.getMessage());
  }

  private CatalogException failed(String what, RocksDBException e) {
    if (e.getStatus() != null && e.getStatus().getCode() == Status.Code.Corruption) {
      return CatalogException.unreadable(folder, e.getMessage());
    }
    return new CatalogException(
        "Cannot %s the index in %s: %s".formatted(what, folder, e.getMessage()), e);
  }

  @Override
  public void close() {
    if (unused != null) {
      unused.close();
    }
    families.values().forEach(ColumnFamilyHandle::close);
    families.clear();
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
