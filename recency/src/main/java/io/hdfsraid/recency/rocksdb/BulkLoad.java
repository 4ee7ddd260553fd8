// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.rocksdb;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.rocksdb.RocksDBException;
import org.rocksdb.SstFileWriter;

/**
 * Fills an empty column family with entries that come in the order of their keys. RocksDB takes
 * them in as finished files, which is several times faster than single writes.
 */
public final class BulkLoad implements AutoCloseable {
  private static final long FILE_BYTES = 128L << 20;
  private static final int CHECKED_EACH = 10_000;
  private static final int USUAL_BYTES = 4 << 10;

  private final Database database;
  private final ColumnFamily family;
  private final Path folder;
  private final List<Path> files = new ArrayList<>();
  private final ByteBuffer key = ByteBuffer.allocateDirect(64);
  private ByteBuffer value = ByteBuffer.allocateDirect(USUAL_BYTES);
  private SstFileWriter writer;
  private long written;

  /**
   * @param folder where the files are written, on the disk of the database
   */
  public BulkLoad(Database database, ColumnFamily family, Path folder) {
    this.database = database;
    this.family = family;
    this.folder = folder;
  }

  /** Adds an entry; its key must be greater than that of the one before it. */
  public void add(
      byte[] keys, int keyAt, int keyLength, byte[] values, int valueAt, int valueLength) {
    try {
      if (writer == null) {
        Path file = folder.resolve("%s-%d.sst".formatted(family.family(), files.size()));
        files.add(file);
        writer = database.tableFile(file);
      }
      if (valueLength > value.capacity()) {
        value = ByteBuffer.allocateDirect(2 * valueLength);
      }
      key.clear().put(keys, keyAt, keyLength).flip();
      value.clear().put(values, valueAt, valueLength).flip();
      writer.put(key, value);
      if (++written % CHECKED_EACH == 0 && writer.fileSize() >= FILE_BYTES) {
        finishFile();
      }
    } catch (RocksDBException e) {
      throw database.failedToWrite(e);
    }
  }

  private void finishFile() throws RocksDBException {
    writer.finish();
    writer.close();
    writer = null;
  }

  /** Makes all entries part of the database. */
  public void ingest() {
    try {
      if (writer != null) {
        finishFile();
      }
    } catch (RocksDBException e) {
      throw database.failedToWrite(e);
    }
    database.ingest(family, files);
  }

  /** Returns how many entries were added. */
  public long written() {
    return written;
  }

  @Override
  public void close() {
    if (writer != null) {
      writer.close();
    }
  }
}
