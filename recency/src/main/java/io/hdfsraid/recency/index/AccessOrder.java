// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.index;

import io.hdfsraid.recency.rocksdb.Database.Cursor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.function.Predicate;

/**
 * The files in the order of their last use. Files in the order have epoch 0. A skipped file is
 * filed under the current epoch of the index instead, which is not read. To bring all skipped files
 * back, a new epoch begins: files of earlier epochs belong to the order again.
 */
final class AccessOrder {
  /**
   * Chunks grow: a caller that wants few files reads few, and large chunks are cheaper per file.
   */
  private static final int FIRST_CHUNK = 64;

  private static final int LARGEST_CHUNK = 2048;

  private final Generation generation;

  AccessOrder(Generation generation) {
    this.generation = generation;
  }

  /** Visits files until the visitor returns false. */
  void forEach(Predicate<FileEntry> visitor) {
    List<Range> ranges = new ArrayList<>();
    try {
      IndexCounters state = generation.state();
      PriorityQueue<Range> heads =
          new PriorityQueue<>(Comparator.comparing(Range::head, AccessOrder::compare));
      add(new Range(0), ranges, heads);
      for (int epoch = state.oldestEpoch(); epoch < state.epoch(); epoch++) {
        add(new Range(epoch), ranges, heads);
      }
      int size = FIRST_CHUNK;
      while (!heads.isEmpty()) {
        List<byte[]> chunk = next(heads, size);
        for (FileEntry file : read(chunk)) {
          if (!visitor.test(file)) {
            return;
          }
        }
        size = Math.min(2 * size, LARGEST_CHUNK);
      }
    } finally {
      ranges.forEach(Range::close);
    }
  }

  private static void add(Range range, List<Range> ranges, PriorityQueue<Range> heads) {
    ranges.add(range);
    if (range.isValid()) {
      heads.add(range);
    }
  }

  private static List<byte[]> next(PriorityQueue<Range> heads, int most) {
    List<byte[]> ranks = new ArrayList<>(most);
    while (ranks.size() < most && !heads.isEmpty()) {
      Range range = heads.remove();
      ranks.add(range.head());
      range.next();
      if (range.isValid()) {
        heads.add(range);
      }
    }
    return ranks;
  }

  /** Compares ranks without their epochs. */
  private static int compare(byte[] one, byte[] other) {
    return Arrays.compareUnsigned(
        one, Integer.BYTES, one.length, other, Integer.BYTES, other.length);
  }

  /** Reads the files sorted by inode id, which is cheaper, and returns them in the given order. */
  private List<FileEntry> read(List<byte[]> ranks) {
    long[] ids = ranks.stream().mapToLong(Keys::inodeAt).sorted().toArray();
    List<byte[]> keys = new ArrayList<>(ids.length);
    for (long id : ids) {
      keys.add(Keys.inode(id));
    }
    List<byte[]> records = generation.database().getAll(Column.FILES, keys);
    Map<Long, FileEntry> files = new HashMap<>(2 * ids.length);
    for (int i = 0; i < ids.length; i++) {
      byte[] record = records.get(i);
      if (record != null) {
        files.put(ids[i], generation.decodeFile(ids[i], record));
      }
    }
    List<FileEntry> inOrder = new ArrayList<>(ids.length);
    for (byte[] rank : ranks) {
      FileEntry file = files.get(Keys.inodeAt(rank));
      // A file that changed meanwhile is found at its new place, or by the next visit.
      if (file != null
          && file.lastUsed() == Keys.lastUsedAt(rank)
          && file.epoch() == Keys.epochAt(rank)) {
        inOrder.add(file);
      }
    }
    return inOrder;
  }

  /** The files of one epoch. */
  private final class Range implements AutoCloseable {
    private final int epoch;
    private final Cursor cursor;
    private byte[] head = new byte[0];
    private boolean valid;

    private Range(int epoch) {
      this.epoch = epoch;
      this.cursor = generation.database().cursor(Column.ORDER);
      cursor.seek(Keys.rank(epoch, Long.MIN_VALUE, Long.MIN_VALUE));
      look();
    }

    private void look() {
      valid = cursor.isValid();
      if (valid) {
        head = cursor.key();
        valid = Keys.epochAt(head) == epoch;
      }
    }

    private boolean isValid() {
      return valid;
    }

    private byte[] head() {
      return head;
    }

    private void next() {
      cursor.next();
      look();
    }

    @Override
    public void close() {
      cursor.close();
    }
  }
}
