package io.hdfsraid.raidnode.catalog.namespace;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.rocksdb.RocksDBException;
import org.rocksdb.SstFileWriter;

/** Fills a column family that is empty with entries that come in the order of their keys. */
final class TableFiles implements AutoCloseable {
  private static final long FILE_BYTES = 128L << 20;
  private static final int CHECKED_EACH = 10_000;
  private static final int USUAL_BYTES = 4 << 10;

  private final Database database;
  private final Column column;
  private final Path folder;
  private final List<Path> files = new ArrayList<>();
  private final ByteBuffer key = ByteBuffer.allocateDirect(64);
  private ByteBuffer value = ByteBuffer.allocateDirect(USUAL_BYTES);
  private SstFileWriter writer;
  private long written;

  TableFiles(Database database, Column column, Path folder) {
    this.database = database;
    this.column = column;
    this.folder = folder;
  }

  void add(byte[] keys, int keyAt, int keyLength, byte[] values, int valueAt, int valueLength) {
    try {
      if (writer == null) {
        Path file = folder.resolve("%s-%d.sst".formatted(column.family(), files.size()));
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

  /** Hands all of them to the database. */
  void ingest() {
    try {
      if (writer != null) {
        finishFile();
      }
    } catch (RocksDBException e) {
      throw database.failedToWrite(e);
    }
    database.ingest(column, files);
  }

  long written() {
    return written;
  }

  @Override
  public void close() {
    if (writer != null) {
      writer.close();
    }
  }
}
