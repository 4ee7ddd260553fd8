package io.hdfsraid.drfs.fs;

import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.apache.hadoop.fs.ByteBufferPositionedReadable;
import org.apache.hadoop.fs.ByteBufferReadable;
import org.apache.hadoop.fs.CanSetDropBehind;
import org.apache.hadoop.fs.CanSetReadahead;
import org.apache.hadoop.fs.CanUnbuffer;
import org.apache.hadoop.fs.FSInputStream;
import org.apache.hadoop.fs.StreamCapabilities;
import org.apache.hadoop.hdfs.BlockMissingException;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.security.AccessControlException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads as HDFS does, and a block that HDFS cannot read through the stripe it belongs to. Which
 * blocks were lost is remembered for a while, then HDFS is tried again; all other blocks are read
 * from HDFS. As with HDFS, one thread may read by the stream's position while others read by
 * positions of their own.
 */
final class RaidInputStream extends FSInputStream
    implements ByteBufferReadable,
        ByteBufferPositionedReadable,
        CanSetReadahead,
        CanSetDropBehind,
        CanUnbuffer,
        StreamCapabilities {
  private static final Logger LOG = LoggerFactory.getLogger(RaidInputStream.class);

  private final HdfsDataInputStream hdfs;
  private final Protection protection;
  private final Patience patience;
  private final String path;
  private final ConcurrentNavigableMap<Long, LostBlock> lost = new ConcurrentSkipListMap<>();
  private long position;
  private volatile boolean closed;
  private volatile LostBlock.Window window;

  /** How the blocks of this file are protected. */
  interface Protection {
    /** The way to read a block of the file that HDFS cannot; empty when it is not protected. */
    Optional<LostBlock> find(LocatedBlock block) throws IOException;
  }

  RaidInputStream(String path, HdfsDataInputStream hdfs, Protection protection, Patience patience) {
    this.path = path;
    this.hdfs = hdfs;
    this.protection = protection;
    this.patience = patience;
  }

  /** Grows while a writer goes on. */
  private long length() {
    return hdfs.getVisibleLength();
  }

  /** One way of reading from HDFS, into the same buffer and from the same position each time. */
  private interface Attempt {
    int read() throws IOException;
  }

  @Override
  public synchronized int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public synchronized int read(byte[] buffer, int offset, int count) throws IOException {
    return readHere(ByteBuffer.wrap(buffer, offset, count), () -> hdfs.read(buffer, offset, count));
  }

  @Override
  public synchronized int read(ByteBuffer target) throws IOException {
    int start = target.position();
    return readHere(
        target,
        () -> {
          target.position(start); // an attempt that failed may have moved it
          return hdfs.read(target);
        });
  }

  private int readHere(ByteBuffer target, Attempt attempt) throws IOException {
    int start = target.position();
    int read =
        read(
            position,
            target,
            Integer.MAX_VALUE, // for whoever reads on will want what is next
            () -> {
              if (hdfs.getPos() != position) {
                hdfs.seek(position);
              }
              return attempt.read();
            });
    if (read > 0) {
      position += read;
      target.position(start + read);
    }
    return read;
  }

  @Override
  public int read(long at, byte[] buffer, int offset, int count) throws IOException {
    validatePositionedReadArgs(at, buffer, offset, count);
    return readAt(
        at,
        ByteBuffer.wrap(buffer, offset, count),
        (target) -> hdfs.read(at, buffer, offset, target.remaining()));
  }

  @Override
  public int read(long at, ByteBuffer target) throws IOException {
    int start = target.position();
    int read = readAt(at, target, part -> hdfs.read(at, part));
    if (read > 0) {
      target.position(start + read);
    }
    return read;
  }

  /** One way of reading from HDFS by position. */
  private interface AttemptAt {
    int read(ByteBuffer target) throws IOException;
  }

  /**
   * Reading by position spans blocks and fails as a whole: when it does, only the block at the
   * position is tried again.
   */
  private int readAt(long at, ByteBuffer target, AttemptAt attempt) throws IOException {
    if (lostAt(at) == null) {
      ByteBuffer readable = target.duplicate();
      Map.Entry<Long, LostBlock> next = lost.higherEntry(at);
      if (next != null && next.getValue().isBelieved(patience)) {
        limit(readable, next.getKey() - at);
      }
      try {
        return attempt.read(readable);
      } catch (IOException e) {
        requireWorthTrying(e);
        Optional<LocatedBlock> block = blockAt(at, e);
        if (block.isEmpty()) {
          throw e;
        }
        long left = end(block.get()) - at;
        if (left < readable.remaining()) {
          limit(readable, left);
          return readAt(at, readable, attempt);
        }
      }
    }
    int useful = Math.max(LostBlock.SMALLEST_WINDOW, target.remaining());
    return read(at, target, useful, () -> attempt.read(target.duplicate()));
  }

  private static void limit(ByteBuffer buffer, long remaining) {
    buffer.limit(buffer.position() + (int) Math.min(remaining, buffer.remaining()));
  }

  @Override
  public void readFully(long at, byte[] buffer, int offset, int count) throws IOException {
    validatePositionedReadArgs(at, buffer, offset, count);
    readFully(at, ByteBuffer.wrap(buffer, offset, count));
  }

  @Override
  public void readFully(long at, ByteBuffer target) throws IOException {
    long from = at;
    while (target.hasRemaining()) {
      int read = read(from, target);
      if (read < 0) {
        throw new EOFException(
            "%d bytes wanted from %d on, but the file has %d"
                .formatted(target.remaining(), from, length()));
      }
      from += read;
    }
  }

  /**
   * Reads from HDFS, or when that fails rebuilds; when that fails too, waits as HDFS would have
   * done. The position of the target is not to be relied on afterwards.
   */
  private int read(long at, ByteBuffer target, int useful, Attempt attempt) throws IOException {
    requireOpen();
    ByteBuffer wanted = target.duplicate();
    if (!wanted.hasRemaining()) {
      return 0;
    }
    LostBlock known = lostAt(at);
    if (known != null) {
      try {
        return rebuild(known, at, wanted, useful);
      } catch (IOException e) {
        requireWorthTrying(e);
        lost.remove(known.start(), known); // it may have been repaired
      }
    }
    for (int failures = 0; ; failures++) {
      try {
        return attempt.read();
      } catch (IOException e) {
        requireWorthTrying(e);
        Optional<LostBlock> found = find(at, e);
        if (found.isPresent()) {
          try {
            return rebuild(found.get(), at, wanted, useful);
          } catch (IOException degraded) {
            requireNotInterrupted(degraded);
            e.addSuppressed(degraded);
          }
        }
        if (!(e instanceof BlockMissingException) || failures >= patience.attempts()) {
          throw e;
        }
        patience.await(failures);
      }
    }
  }

  /** What goes wrong is added to the failure that made us look. */
  private Optional<LostBlock> find(long at, IOException failure) throws IOException {
    try {
      Optional<LocatedBlock> block = blockAt(at, failure);
      return block.isEmpty() ? Optional.empty() : protection.find(block.get());
    } catch (IOException e) {
      requireNotInterrupted(e);
      failure.addSuppressed(e);
    } catch (IllegalArgumentException e) { // a manifest that this version cannot use
      failure.addSuppressed(e);
    }
    return Optional.empty();
  }

  private Optional<LocatedBlock> blockAt(long at, IOException failure) throws IOException {
    try {
      return hdfs.getAllBlocks().stream()
          .filter(block -> at >= block.getStartOffset() && at < end(block))
          .findFirst();
    } catch (IOException e) {
      requireNotInterrupted(e);
      failure.addSuppressed(e);
      return Optional.empty();
    }
  }

  private static long end(LocatedBlock block) {
    return block.getStartOffset() + block.getBlockSize();
  }

  /** The block at the position if HDFS could not read it of late, or null. */
  private LostBlock lostAt(long at) {
    Map.Entry<Long, LostBlock> before = lost.floorEntry(at);
    return before != null
            && before.getValue().contains(at)
            && before.getValue().isBelieved(patience)
        ? before.getValue()
        : null;
  }

  private int rebuild(LostBlock block, long at, ByteBuffer wanted, int useful) throws IOException {
    LostBlock.Window from = window;
    if (from == null || from.block() != block || !from.contains(at)) {
      from = block.rebuild(at, useful);
      if (lost.put(block.start(), block) == null) {
        LOG.atInfo()
            .addKeyValue("file", path)
            .addKeyValue("lost", block)
            .log("A block cannot be read; it is read through its parity");
      }
      window = from;
    }
    return from.copy(at, wanted);
  }

  private void requireOpen() throws IOException {
    if (closed) {
      throw new IOException("Stream closed");
    }
  }

  /** Parity is no answer to a file that is gone or forbidden, nor to a reader that gives up. */
  private void requireWorthTrying(IOException e) throws IOException {
    if (closed || e instanceof AccessControlException || e instanceof FileNotFoundException) {
      throw e;
    }
    requireNotInterrupted(e);
  }

  private static void requireNotInterrupted(IOException e) throws IOException {
    boolean interrupted =
        e instanceof ClosedByInterruptException
            || (e instanceof InterruptedIOException && !(e instanceof SocketTimeoutException));
    if (interrupted) {
      throw e;
    }
  }

  @Override
  public synchronized void seek(long to) throws IOException {
    requireOpen();
    hdfs.seek(to); // which knows what is allowed
    position = to;
  }

  @Override
  public synchronized long getPos() {
    return position;
  }

  @Override
  public synchronized long skip(long count) throws IOException {
    if (count <= 0) {
      return 0;
    }
    long skipped = Math.min(count, length() - position);
    seek(position + skipped);
    return skipped;
  }

  @Override
  public synchronized int available() throws IOException {
    requireOpen();
    return (int) Math.min(Integer.MAX_VALUE, length() - position);
  }

  @Override
  public synchronized boolean seekToNewSource(long target) throws IOException {
    boolean found = hdfs.seekToNewSource(target);
    position = hdfs.getPos();
    return found;
  }

  @Override
  public void setReadahead(Long readahead) throws IOException {
    hdfs.setReadahead(readahead);
  }

  @Override
  public void setDropBehind(Boolean dropCache) throws IOException {
    hdfs.setDropBehind(dropCache);
  }

  @Override
  public synchronized void unbuffer() {
    window = null;
    hdfs.unbuffer();
  }

  @Override
  public boolean hasCapability(String capability) {
    return hdfs.hasCapability(capability);
  }

  @Override
  public void close() throws IOException {
    closed = true;
    window = null;
    hdfs.close();
  }
}
