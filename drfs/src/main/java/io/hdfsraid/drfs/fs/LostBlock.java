// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.fs;

import io.hdfsraid.drfs.block.Block;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A block of an open file that HDFS cannot read, with the stripe from which it is rebuilt. Safe for
 * concurrent use.
 */
final class LostBlock {
  /** The maximum number of bytes rebuilt at once, unless a row is longer. */
  static final int LARGEST_WINDOW = 4 << 20;

  /**
   * The minimum number of bytes rebuilt at once, for readers of less that come back for the bytes
   * next to them.
   */
  static final int SMALLEST_WINDOW = 4 << 10;

  /** In windows; longer rows are rebuilt in parts. */
  private static final int LONGEST_ROW = 4;

  /** A reader that wants more is not given less because a window ends. */
  private static final int SHORTEST_REST = 64 << 10;

  private final Owner owner;
  private final long start;
  private final long length;
  private final Contents contents;
  private final long foundNanos = System.nanoTime();
  private volatile boolean rebuilt;

  /**
   * The file of a lost block.
   *
   * @param first its first block, by which an open stream knows it
   */
  record Owner(long inode, Block first) {}

  /**
   * Rebuilds bytes in the form in which a reader of the file sees them: plaintext for an encrypted
   * file.
   */
  interface Contents {
    /** Fills the buffer with the bytes of the block from the offset on. */
    void read(long offset, ByteBuffer target) throws IOException;

    /**
     * Returns the bytes of a row. Codes with several chunks in a row rebuild all chunks together
     * for little more than the cost of one.
     */
    int rowBytes();
  }

  /**
   * @param owner the file
   * @param start position of the block in the file
   * @param length length of the block
   */
  LostBlock(Owner owner, long start, long length, Contents contents) {
    this.owner = owner;
    this.start = start;
    this.length = length;
    this.contents = contents;
  }

  Owner owner() {
    return owner;
  }

  long start() {
    return start;
  }

  long end() {
    return start + length;
  }

  boolean contains(long position) {
    return position >= start && position < end();
  }

  /** Whether the block is still considered lost, because it is too early to try HDFS again. */
  boolean isBelieved(ReadRetryPolicy patience) {
    return System.nanoTime() - foundNanos < patience.lost().toNanos();
  }

  /** Whether it was found after this {@link System#nanoTime}. */
  boolean isFoundSince(long nanos) {
    return foundNanos - nanos >= 0;
  }

  /** A reader got bytes of this block that HDFS could not read. */
  void markRebuilt() {
    rebuilt = true;
  }

  /**
   * Whether a reader has needed it. Otherwise it was only looked up, because HDFS was late to read
   * a range that begins in this block.
   */
  boolean wasRebuilt() {
    return rebuilt;
  }

  /**
   * Returns the length of a window in the middle of a block: whole rows. A client with little
   * memory gets less, though parts of a long row cost nearly as much as all of it.
   */
  long windowBytes(int largest) {
    long row = contents.rowBytes();
    return row > (long) LONGEST_ROW * largest ? largest : Math.max(1, largest / row) * row;
  }

  /**
   * Rebuilds the bytes of the file from a position in this block on: no more than wanted, and as
   * many as are efficient to rebuild at once. Windows end at the end of a row, so that a reader
   * that continues there gets whole rows.
   *
   * @param largest the maximum, unless a row is longer
   */
  Window rebuild(long position, int wanted, int largest) throws IOException {
    long offset = position - start;
    long whole = windowEnd(position, largest) - position;
    // A reader that goes on gets whole rows: of a code with several chunks in a row, one of them
    // costs as much as all.
    long count = wanted >= largest ? whole : Math.min(wanted, whole);
    ByteBuffer bytes = ByteBuffer.allocate((int) count);
    contents.read(offset, bytes);
    return new Window(this, position, bytes.flip().asReadOnlyBuffer());
  }

  /** Returns where the largest window ends that begins at this position. */
  long windowEnd(long position, int largest) {
    long offset = position - start;
    long window = windowBytes(largest);
    long end = (offset / window + 1) * window;
    return start + Math.min(length, end - offset < SHORTEST_REST ? end + window : end);
  }

  /** Rebuilt bytes of a block. */
  record Window(LostBlock block, long start, ByteBuffer bytes) {
    long end() {
      return start + bytes.limit();
    }

    boolean contains(long position) {
      return position >= start && position < end();
    }

    /** Whether both are the same range of one block. */
    boolean hasBytesOf(Window other) {
      return block == other.block && start == other.start && end() == other.end();
    }

    /** Copies the bytes from the position on, as many as the target takes. */
    int copy(long position, ByteBuffer target) {
      int skip = (int) (position - start);
      int count = Math.min(target.remaining(), bytes.limit() - skip);
      target.put(target.position(), bytes, skip, count);
      return count;
    }
  }

  @Override
  public String toString() {
    return "bytes %d to %d".formatted(start, end());
  }
}
