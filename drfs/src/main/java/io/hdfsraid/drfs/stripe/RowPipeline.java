package io.hdfsraid.drfs.stripe;

import java.io.IOException;
import java.util.List;

/**
 * Row r + 1 is read while row r is coded and row r - 1 is written, so two {@linkplain #SLOTS slots}
 * of buffers suffice: row r uses slot r mod 2, for what it reads and for what it writes.
 */
final class RowPipeline {
  static final int SLOTS = 2;

  private RowPipeline() {}

  /** What is done with each row; called by one thread, row after row. */
  interface Rows {
    int count();

    /** Begins to fill the inputs of the row; called when those of the row before are filled. */
    Reading read(TaskGroup tasks, int row) throws IOException;

    /** Computes the outputs of the row from its inputs. */
    void code(int row) throws IOException;

    /** Tasks that pass the outputs of the row on. */
    List<TaskGroup.Task> writes(int row);
  }

  /** A row whose inputs are being filled. */
  interface Reading {
    /** Waits until they are; called once. */
    void await() throws IOException;
  }

  /**
   * Where the time of the calling thread went, in nanoseconds.
   *
   * @param reading waiting for reads
   * @param writing waiting for writes
   */
  record Times(long reading, long coding, long writing) {}

  static Times run(TaskGroup tasks, Rows rows) throws IOException {
    long reads = 0;
    long codes = 0;
    long writes = 0;
    Laps laps = new Laps();
    Reading reading = rows.count() > 0 ? rows.read(tasks, 0) : () -> {};
    TaskGroup.Batch writing = tasks.start(List.of());
    for (int row = 0; row < rows.count(); row++) {
      reading.await();
      reads += laps.next();
      if (row + 1 < rows.count()) {
        reading = rows.read(tasks, row + 1);
      }
      rows.code(row);
      codes += laps.next();
      // Rows are written in order, and the next one is coded into the slot of the last but one.
      writing.await();
      writing = tasks.start(rows.writes(row));
      writes += laps.next();
    }
    writing.await();
    return new Times(reads, codes, writes + laps.next());
  }
}
