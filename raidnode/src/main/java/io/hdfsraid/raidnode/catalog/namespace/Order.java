package io.hdfsraid.raidnode.catalog.namespace;

import io.hdfsraid.raidnode.catalog.namespace.Database.Cursor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.function.Predicate;

/**
 * Files by last use. Those in the order have epoch 0. One that is set aside is filed under the
 * epoch of the index instead, where nobody looks; to bring all of them back, a new epoch is begun,
 * and those of the older ones are in the order again, wherever they are filed.
 */
final class Order {
  /** Few at first, for who wants few; many soon, for many at once are cheaper. */
  private static final int FIRST_CHUNK = 64;

  private static final int LARGEST_CHUNK = 2048;

  private final Generation generation;

  Order(Generation generation) {
    this.generation = generation;
  }

  /** Visits files until the visitor answers false; costs what is visited. */
  void forEach(Predicate<FileEntry> visitor) {
    List<Range> ranges = new ArrayList<>();
    try {
      State state = generation.state();
      PriorityQueue<Range> heads =
          new PriorityQueue<>(Comparator.comparing(Range::head, Order::compare));
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

  /** Whatever the epoch is. */
  private static int compare(byte[] one, byte[] other) {
    return Arrays.compareUnsigned(
        one, Integer.BYTES, one.length, other, Integer.BYTES, other.length);
  }

  /** Reads the files themselves, by number, since neighbours are cheaper, and in this order. */
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
      // One that has changed since this began is met where it is now, or next time.
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
