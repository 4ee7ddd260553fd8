package io.hdfsraid.drfs.fs;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;

/**
 * A block of an open file that cannot be read, and the stripe through which it can. Safe for
 * concurrent use.
 */
final class LostBlock {
  private final long start;
  private final long length;
  private final Contents contents;
  private final long foundNanos = System.nanoTime();

  /** Rebuilds bytes as a reader of the file sees them: plaintext of an encrypted file. */
  interface Contents {
    /** Fills the buffer with the bytes of the block from the offset on. */
    void read(long offset, ByteBuffer target) throws IOException;
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
   * The bytes of the file from a position in this block on, as many as wanted or as the block has.
   */
  Window rebuild(long position, int wanted) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(wanted, end() - position));
    contents.read(position - start, bytes);
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
