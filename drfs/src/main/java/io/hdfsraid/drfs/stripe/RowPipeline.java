// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.stripe;

import java.io.IOException;
import java.util.List;

/**
 * A pipeline of three stages: row r + 1 is read while row r is coded and row r - 1 is written. Two
 * {@linkplain #SLOTS slots} of buffers suffice: row r uses slot r mod 2 for its inputs and outputs.
 */
final class RowPipeline {
  static final int SLOTS = 2;

  private RowPipeline() {}

  /** The work on each row. Called by one thread, row after row. */
  interface Rows {
    int count();

    /**
     * Begins to fill the inputs of the row. Called when the inputs of the previous row are filled.
     */
    PendingRead read(TaskGroup tasks, int row) throws IOException;

    /** Computes the outputs of the row from its inputs. */
    void code(int row) throws IOException;

    /** Returns tasks that pass on the outputs of the row. */
    List<TaskGroup.Task> writes(int row);
  }

  /** A row whose inputs are being filled. */
  interface PendingRead {
    /** Waits until the inputs are filled. Called once. */
    void await() throws IOException;
  }

  /**
   * The time that the calling thread spent on each activity, in nanoseconds.
   *
   * @param reading waiting for reads
   * @param writing waiting for writes
   */
  record Times(long reading, long coding, long writing) {}

  static Times run(TaskGroup tasks, Rows rows) throws IOException {
    long reads = 0;
    long codes = 0;
    long writes = 0;
    Stopwatch laps = new Stopwatch();
    PendingRead reading = rows.count() > 0 ? rows.read(tasks, 0) : () -> {};
    TaskGroup.Batch writing = tasks.start(List.of());
    for (int row = 0; row < rows.count(); row++) {
      reading.await();
      reads += laps.next();
      if (row + 1 < rows.count()) {
        reading = rows.read(tasks, row + 1);
      }
      rows.code(row);
      codes += laps.next();
      // Rows are written in order, and the next row reuses the slot of the row before the last.
      writing.await();
      writing = tasks.start(rows.writes(row));
      writes += laps.next();
    }
    writing.await();
    return new Times(reads, codes, writes + laps.next());
  }
}
