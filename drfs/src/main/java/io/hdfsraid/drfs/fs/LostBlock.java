package io.hdfsraid.drfs.fs;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;

/**
 * A block of an open file that cannot be read, and the stripe through which it can. Safe for
 * concurrent use.
 */
final class LostBlock {
  /** What is rebuilt at once at most, unless a row is longer. */
  static final int LARGEST_WINDOW = 1 << 20;

  /** What is rebuilt at least, since finding all helpers costs as much as reading this. */
  static final int SMALLEST_WINDOW = 64 << 10;

  private final long start;
  private final long length;
  private final Contents contents;
  private final long foundNanos = System.nanoTime();

  /** Rebuilds bytes as a reader of the file sees them: plaintext of an encrypted file. */
  interface Contents {
    /** Fills the buffer with the bytes of the block from the offset on. */
    void read(long offset, ByteBuffer target) throws IOException;

    /**
     * Bytes of a row: codes of several chunks in a row rebuild all of them together from little
     * more than one alone.
     */
    int rowBytes();
  }

  /**
   * @param start where the block begins in the file
   * @param length of the block
   */
  LostBlock(long start, long length, Contents contents) {
    this.start = start;
    this.length = length;
    this.contents = contents;
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

  /** Whether it is too early to try HDFS again. */
  boolean isBelieved(Patience patience) {
    return System.nanoTime() - foundNanos < TimeUnit.MILLISECONDS.toNanos(patience.lostMillis());
  }

  /**
   * The bytes of the file from a position in this block on: no more than wanted, and as many as can
   * well be rebuilt at once. Windows end where rows do, so that who goes on from there gets whole
   * ones.
   */
  Window rebuild(long position, int wanted) throws IOException {
    long offset = position - start;
    long row = contents.rowBytes();
    long window = Math.max(1, LARGEST_WINDOW / row) * row;
    long end = (offset / window + 1) * window;
    long until = Math.min(length, end - offset < SMALLEST_WINDOW ? end + window : end);
    ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(wanted, until - offset));
    contents.read(offset, bytes);
    return new Window(this, position, bytes.flip().asReadOnlyBuffer());
  }

  /** Rebuilt bytes of a block. */
  record Window(LostBlock block, long start, ByteBuffer bytes) {
    boolean contains(long position) {
      return position >= start && position < start + bytes.limit();
    }

    /** Puts what there is from the position on, and no more than the target takes. */
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
