// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.table;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** A format of tables in files. */
public interface TableFormat {
  /** All columns of all rows are read and parsed. */
  TableFormat JSON_LINES = new JsonLines();

  /** One column of all rows is read. */
  TableFormat PARQUET_COLUMN = new ParquetColumns();

  List<TableFormat> ALL = List.of(JSON_LINES, PARQUET_COLUMN);

  /** Returns what is scanned, as the name of a row in a report says it. */
  String scanned();

  /** Returns the extension of its files. */
  String extension();

  /**
   * Writes the same table each time.
   *
   * @param bytes about as long; a compact format makes less of the same rows
   */
  void write(FileSystem fs, Path file, short replication, long blockBytes, long bytes)
      throws IOException;

  /** Returns the sum of the amounts in the whole table, in cents, so that it is exact. */
  long scan(FileSystem fs, Path file) throws IOException;

  /** Returns an amount in cents. */
  static long cents(double amount) {
    return Math.round(amount * 100);
  }
}
