// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.fs;

import io.hdfsraid.drfs.block.Interrupts;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.lang.ref.Cleaner;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;
import java.util.function.LongConsumer;
import org.apache.hadoop.fs.ByteBufferPositionedReadable;
import org.apache.hadoop.fs.ByteBufferReadable;
import org.apache.hadoop.fs.ByteBufferUtil;
import org.apache.hadoop.fs.CanSetDropBehind;
import org.apache.hadoop.fs.CanSetReadahead;
import org.apache.hadoop.fs.CanUnbuffer;
import org.apache.hadoop.fs.FSInputStream;
import org.apache.hadoop.fs.FileRange;
import org.apache.hadoop.fs.HasEnhancedByteBufferAccess;
import org.apache.hadoop.fs.ReadOption;
import org.apache.hadoop.fs.StreamCapabilities;
import org.apache.hadoop.hdfs.BlockMissingException;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.io.ByteBufferPool;
import org.apache.hadoop.security.AccessControlException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A stream that reads from HDFS and falls back to the stripe for a block that HDFS cannot read. The
 * stream remembers lost blocks for a while and then tries HDFS again. All other blocks are read
 * from HDFS. As with HDFS, one thread may read at the stream's position while other threads read at
 * positions of their own.
 */
final class RaidInputStream extends FSInputStream
    implements ByteBufferReadable,
        ByteBufferPositionedReadable,
        CanSetReadahead,
        CanSetDropBehind,
        CanUnbuffer,
        HasEnhancedByteBufferAccess,
        StreamCapabilities {
  private static final Logger LOG = LoggerFactory.getLogger(RaidInputStream.class);

  /**
   * The most bytes that a positioned read asks HDFS for at once. A disk that gives less than that
   * in a third of {@code raid.read.deadline.ms} is in trouble.
   */
  private static final int LONGEST_TIMED = 8 << 20;

  /** Bytes between two ranges of a vectored read that are cheaper to rebuild than to leave out. */
  private static final int LARGEST_GAP = 16 << 10;

  /** Gives back what streams hold that are never closed. */
  private static final Cleaner CLEANER = Cleaner.create(RaidInputStream::cleaner);

  /** How long a stream waits for HDFS as plain HDFS does, after nothing else has helped. */
  private static final Duration LEFT_TO_HDFS = Duration.ofMinutes(1);

  private final HdfsDataInputStream hdfs;
  private final LostBlockLookup lookup;
  private final ReadRetryPolicy patience;
  private final LateReads lateReads;
  private final Executor looking;
  private final BooleanSupplier hdfsHedges;
  private final LongConsumer rebuilt;
  private final String path;
  private final Readahead readahead;
  private final Windows windows;
  private final Cleaner.Cleanable unclosed;
  private final KnownLosses losses;
  private final byte[] oneByte = new byte[1];

  /** Buffers with rebuilt bytes that readers have not returned; guarded by itself. */
  private final IdentityHashMap<ByteBuffer, ByteBufferPool> borrowed = new IdentityHashMap<>();

  private long position;
  private volatile boolean closed;

  /** The spans of the latest vectored read; null if there is none. */
  private final AtomicReference<Spans> vectored = new AtomicReference<>();

  /** Until when late reads are left to HDFS, by {@link System#nanoTime}, as nothing else helps. */
  private volatile long leftToHdfsNanos = System.nanoTime();

  /** Looks up the protection of the blocks of this file. */
  interface LostBlockLookup {
    /** Returns a way to read a block that HDFS cannot read; empty if the block is not protected. */
    Optional<LostBlock> find(LocatedBlock block) throws IOException;

    /** Returns the block at a position of the file; empty behind its end. */
    Optional<LocatedBlock> at(long position) throws IOException;

    /** Whether this file has the lost block, which a stream of the same path has found. */
    boolean isHere(LostBlock found) throws IOException;

    /** Whether the lost blocks of the file can be found after it was renamed. */
    boolean survivesRename();

    /** Called if a block could not be read in this way. */
    void failed(LostBlock lost);
  }

  /**
   * @param looking looks for other ways to late bytes, on behalf of the reader
   * @param hdfsHedges whether positioned reads of HDFS are hedged, and swallow interrupts
   * @param windows of this stream alone
   * @param rebuilt told how many bytes a reader got that HDFS could not read
   */
  RaidInputStream(
      String path,
      HdfsDataInputStream hdfs,
      LostBlockLookup lookup,
      ReadRetryPolicy patience,
      LateReads lateReads,
      Executor looking,
      BooleanSupplier hdfsHedges,
      Readahead readahead,
      Windows windows,
      LongConsumer rebuilt) {
    this.lateReads = lateReads;
    this.looking = looking;
    this.hdfsHedges = hdfsHedges;
    this.readahead = readahead;
    this.windows = windows;
    this.unclosed = CLEANER.register(this, windows::close);
    this.path = path;
    this.hdfs = hdfs;
    this.lookup = lookup;
    this.patience = patience;
    this.rebuilt = rebuilt;
    this.losses = new KnownLosses(path, patience, lookup::isHere);
  }

  private static Thread cleaner(Runnable work) {
    Thread thread = new Thread(work, "degraded-read-cleaner");
    thread.setDaemon(true); // must not keep an application from exiting
    thread.setContextClassLoader(null); // nor an application server from unloading it
    return thread;
  }

  Readahead readahead() {
    return readahead;
  }

  /**
   * Takes blocks as lost that another stream of this path could not read. Whether they are of this
   * file is asked when they are read.
   */
  void expect(List<LostBlock> blocks) {
    losses.expect(blocks);
  }

  /** Returns the visible length, which grows while the file is being written. */
  private long length() {
    return hdfs.getVisibleLength();
  }

  /** A read from HDFS that can be repeated into the same buffer from the same position. */
  private interface HdfsRead {
    int read() throws IOException;
  }

  @Override
  public synchronized int read() throws IOException {
    return read(oneByte, 0, 1) < 0 ? -1 : oneByte[0] & 0xff;
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
          target.position(start); // a failed attempt may have moved it
          return hdfs.read(target);
        });
  }

  private int readHere(ByteBuffer target, HdfsRead attempt) throws IOException {
    int start = target.position();
    int read =
        read(
            position,
            target,
            new Demand(Windows.Reader.SEQUENTIAL, readahead.window(target.remaining())),
            Optional.empty(),
            () -> {
              if (hdfs.getPos() != position) {
                hdfs.seek(position);
              }
              try {
                return inTime(position, attempt);
              } catch (LateReadException e) {
                leaveBlock();
                throw e;
              }
            });
    if (read > 0) {
      position += read;
      readahead.advanced(read);
      target.position(start + read);
    }
    return read;
  }

  /** Without a copy if HDFS can; what it cannot read is rebuilt into a buffer of the pool. */
  @Override
  public synchronized ByteBuffer read(ByteBufferPool pool, int most, EnumSet<ReadOption> options)
      throws IOException {
    requireOpen();
    if (losses.at(position).isEmpty()) {
      try {
        if (hdfs.getPos() != position) {
          hdfs.seek(position);
        }
        ByteBuffer read =
            askInTime(position, () -> hdfs.read(pool, Math.min(most, LONGEST_TIMED), options));
        if (read != null) {
          position += read.remaining();
          readahead.advanced(read.remaining());
        }
        return read;
      } catch (IOException e) {
        requireWorthTrying(e);
        leaveBlock();
        // HDFS fills the buffer across blocks, and does not say which one it could not read.
        long asked = Math.min(Math.min(most, LONGEST_TIMED), length() - position);
        find(blockAt(position, e).filter(block -> end(block) - position >= asked), e)
            .ifPresent(losses::add);
      }
    }
    ByteBuffer read = ByteBufferUtil.fallbackRead(this, pool, most);
    if (read != null) {
      synchronized (borrowed) {
        borrowed.put(read, pool);
      }
    }
    return read;
  }

  @Override
  public void releaseBuffer(ByteBuffer buffer) {
    ByteBufferPool pool;
    synchronized (borrowed) {
      pool = borrowed.remove(buffer);
    }
    if (pool == null) {
      hdfs.releaseBuffer(buffer);
    } else {
      pool.putBuffer(buffer);
    }
  }

  @Override
  public int read(long at, byte[] buffer, int offset, int count) throws IOException {
    validatePositionedReadArgs(at, buffer, offset, count);
    return readParts(
        at,
        ByteBuffer.wrap(buffer, offset, count),
        (from, part) -> hdfs.read(from, buffer, part.position(), part.remaining()));
  }

  @Override
  public int read(long at, ByteBuffer target) throws IOException {
    int start = target.position();
    int read = readParts(at, target, hdfs::read);
    if (read > 0) {
      target.position(start + read);
    }
    return read;
  }

  /** A positioned read from HDFS. */
  private interface PositionedHdfsRead {
    int read(long at, ByteBuffer target) throws IOException;
  }

  /** Reads long ranges in parts, or they would be late though all is well. */
  private int readParts(long at, ByteBuffer target, PositionedHdfsRead attempt) throws IOException {
    int read = 0;
    ByteBuffer part = target.duplicate();
    while (true) {
      part.limit(target.limit());
      limit(part, LONGEST_TIMED);
      int wanted = part.remaining();
      int got;
      try {
        got = readAt(at + read, part.duplicate(), attempt);
      } catch (IOException e) {
        if (read == 0) {
          throw e;
        }
        requireWorthTrying(e);
        return read; // who asks for the rest meets the failure
      }
      if (got < 0) {
        return read == 0 ? got : read;
      }
      read += got;
      if (got < wanted || part.limit() == target.limit()) {
        return read;
      }
      part.position(part.limit());
    }
  }

  /**
   * Reads at a position. A positioned read of HDFS spans blocks and fails as a whole. After a
   * failure only the block at the position is read again.
   */
  private int readAt(long at, ByteBuffer target, PositionedHdfsRead attempt) throws IOException {
    Optional<Failed> failed = Optional.empty();
    if (losses.at(at).isEmpty()) {
      ByteBuffer readable = target.duplicate();
      OptionalLong behind = losses.nextBehind(at);
      if (behind.isPresent()) {
        limit(readable, behind.getAsLong() - at);
      }
      try {
        return inTime(at, readable, attempt);
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
        failed = Optional.of(new Failed(block.get(), e));
      }
    }
    Demand demand = new Demand(Windows.Reader.POSITIONED, useful(at, target.remaining()));
    return read(at, target, demand, failed, () -> inTime(at, target, attempt));
  }

  private int useful(long at, int wanted) {
    Spans spans = vectored.get();
    int spanned = spans == null ? 0 : spans.take(at, readahead.largest());
    return Math.max(spanned, Math.max(LostBlock.SMALLEST_WINDOW, wanted));
  }

  /** Ranges of a lost block that are near each other are rebuilt together. */
  @Override
  public void readVectored(List<? extends FileRange> ranges, IntFunction<ByteBuffer> allocate)
      throws IOException {
    List<? extends FileRange> inOrder =
        ranges.stream().sorted(Comparator.comparingLong(FileRange::getOffset)).toList();
    Spans spans = Spans.of(inOrder);
    vectored.set(spans);
    try {
      super.readVectored(inOrder, allocate);
    } finally {
      vectored.compareAndSet(spans, null);
    }
  }

  /**
   * Ranges of a vectored read that are near each other.
   *
   * @param reader the thread that reads them one after another
   * @param ends where each span ends, by where it begins
   */
  private record Spans(Thread reader, NavigableMap<Long, Long> ends) {
    static Spans of(List<? extends FileRange> inOrder) {
      NavigableMap<Long, Long> ends = new TreeMap<>();
      for (FileRange range : inOrder) {
        long end = range.getOffset() + range.getLength();
        Map.Entry<Long, Long> last = ends.lastEntry();
        if (last != null && range.getOffset() - last.getValue() <= LARGEST_GAP) {
          ends.put(last.getKey(), Math.max(last.getValue(), end));
        } else {
          ends.put(range.getOffset(), end);
        }
      }
      return new Spans(Thread.currentThread(), ends);
    }

    /**
     * Returns how many bytes from a position on are wanted together. Each is given once: if another
     * reader of the stream takes the place of their window, the rest is read range by range.
     */
    int take(long at, int most) {
      Map.Entry<Long, Long> span = reader == Thread.currentThread() ? ends.floorEntry(at) : null;
      if (span == null || span.getValue() <= at) {
        return 0;
      }
      int bytes = (int) Math.min(span.getValue() - at, most);
      ends.remove(span.getKey());
      if (at + bytes < span.getValue()) {
        ends.put(at + bytes, span.getValue());
      }
      return bytes;
    }
  }

  /**
   * The need of a reader for bytes of a lost block.
   *
   * @param useful how many bytes to rebuild from the position on
   */
  private record Demand(Windows.Reader reader, int useful) {}

  /** A block that HDFS could not read a moment ago. */
  private record Failed(LocatedBlock block, IOException failure) {}

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
   * Reads from HDFS, and rebuilds if that fails. If both fail, waits as HDFS's client would have
   * done and tries again. The position of the target is undefined afterwards.
   *
   * @param demand if the block is lost
   * @param failed if HDFS was asked a moment ago
   */
  private int read(
      long at, ByteBuffer target, Demand demand, Optional<Failed> failed, HdfsRead attempt)
      throws IOException {
    requireOpen();
    ByteBuffer wanted = target.duplicate();
    if (!wanted.hasRemaining()) {
      return 0;
    }
    long left = length() - at;
    if (left <= 0) {
      return -1;
    }
    limit(wanted, left); // in a snapshot, the last block may be longer than the file was
    boolean late = false;
    long begunNanos = System.nanoTime();
    // Helpers that do not answer cost a reader their deadline once, not with each attempt.
    Optional<IOException> hopeless = Optional.empty();
    Optional<LostBlock> known = losses.at(at);
    if (known.isPresent()) {
      try {
        return rebuild(known.get(), at, wanted, demand);
      } catch (IOException e) {
        requireNotInterrupted(e);
        losses.remove(known.get()); // it may have been repaired
        lookup.failed(known.get());
      }
    }
    for (int failures = 0; ; failures++) {
      try {
        if (failures == 0 && failed.isPresent()) {
          throw failed.get().failure();
        }
        return attempt.read();
      } catch (IOException e) {
        requireWorthTrying(e);
        Optional<LocatedBlock> block =
            failures == 0 && failed.isPresent()
                ? Optional.of(failed.get().block())
                : blockAt(at, e);
        hopeless.ifPresent(e::addSuppressed);
        Optional<LostBlock> found = hopeless.isPresent() ? Optional.empty() : find(block, e);
        if (found.isPresent()) {
          long rebuildNanos = System.nanoTime();
          try {
            return rebuild(found.get(), at, wanted, demand);
          } catch (IOException degraded) {
            requireNotInterrupted(degraded);
            lookup.failed(found.get());
            e.addSuppressed(degraded);
            if (found.get().isFoundSince(begunNanos) && lateReads.isLate(rebuildNanos)) {
              hopeless = Optional.of(degraded);
              leaveToHdfs(at, degraded);
            }
          }
        }
        if (e instanceof LateReadException && !late) {
          leaveToHdfs(at, e);
          late = true;
          continue;
        }
        if (!(e instanceof BlockMissingException) || failures >= patience.attempts()) {
          throw e;
        }
        patience.await(failures);
      }
    }
  }

  /** Thrown if HDFS was late and the block can be read in another way. */
  private static final class LateReadException extends IOException {
    private static final long serialVersionUID = 1L;

    LateReadException(String path, long at, IOException cause) {
      super("HDFS did not deliver byte %d of %s in time".formatted(at, path), cause);
    }
  }

  private int inTime(long at, HdfsRead attempt) throws IOException {
    return this.<Integer>askInTime(at, attempt::read);
  }

  /** A failed attempt may move its buffer, so it gets one of its own. */
  private int inTime(long at, ByteBuffer target, PositionedHdfsRead attempt) throws IOException {
    if (!hdfsHedges.getAsBoolean() || isLeftToHdfs()) {
      return inTime(at, () -> attempt.read(at, target.duplicate()));
    }
    ByteBuffer own = ByteBuffer.allocate(target.remaining());
    OptionalInt read =
        lateReads.elsewhere(
            () -> hdfs.read(at, own.array(), 0, own.capacity()), () -> isProtected(at));
    if (read.isEmpty()) {
      throw new LateReadException(path, at, new IOException("A DataNode does not answer"));
    }
    if (read.getAsInt() > 0) {
      target.duplicate().put(own.limit(read.getAsInt()));
    }
    return read.getAsInt();
  }

  private void leaveToHdfs(long at, IOException why) {
    LOG.info("Byte {} of {} is left to HDFS, late as it is", at, path, why);
    leftToHdfsNanos = System.nanoTime() + LEFT_TO_HDFS.toNanos();
  }

  private boolean isLeftToHdfs() {
    return System.nanoTime() - leftToHdfsNanos < 0;
  }

  private interface HdfsCall<T> {
    T answer() throws IOException;
  }

  /** Asks HDFS, unless HDFS is late and the block can be read in another way. */
  private <T> T askInTime(long at, HdfsCall<T> attempt) throws IOException {
    if (isLeftToHdfs()) {
      return attempt.answer();
    }
    LateReads.Attempt timed = lateReads.begin(looking, () -> isProtected(at));
    try {
      return attempt.answer();
    } catch (IOException e) {
      if (timed.end()) {
        throw new LateReadException(path, at, e);
      }
      throw e;
    } finally {
      timed.end();
    }
  }

  private boolean isProtected(long at) {
    IOException failure = new IOException("HDFS is late");
    try {
      return find(blockAt(at, failure), failure).isPresent();
    } catch (IOException e) {
      LOG.debug("No other way to byte {} of {} was found", at, path, e);
      return false;
    }
  }

  /**
   * Finds the stripe of a lost block. A failure of the look-up is added to the failure of the read.
   */
  private Optional<LostBlock> find(Optional<LocatedBlock> block, IOException failure)
      throws IOException {
    try {
      return block.isEmpty() ? Optional.empty() : lookup.find(block.get());
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
      return lookup.at(at);
    } catch (IOException e) {
      requireNotInterrupted(e);
      failure.addSuppressed(e);
      return Optional.empty();
    }
  }

  private static long end(LocatedBlock block) {
    return block.getStartOffset() + block.getBlockSize();
  }

  /** Returns the number of blocks that are remembered as lost. */
  int remembered() {
    return losses.size();
  }

  private int rebuild(LostBlock block, long at, ByteBuffer wanted, Demand demand)
      throws IOException {
    Optional<LostBlock.Window> there = windows.current(block, at);
    if (there.isEmpty()) {
      there = Optional.of(window(block, at, wanted.remaining(), demand));
      losses.add(block);
    }
    LostBlock.Window from = there.get();
    int copied = from.copy(at, wanted);
    if (at + copied == from.end()) {
      windows.drop(demand.reader(), from);
    }
    block.markRebuilt();
    rebuilt.accept(copied);
    return copied;
  }

  private LostBlock.Window window(LostBlock block, long at, int wanted, Demand demand)
      throws IOException {
    int largest = readahead.largest();
    int useful = demand.useful();
    boolean goesOn = demand.reader() == Windows.Reader.SEQUENTIAL;
    Optional<LostBlock.Window> next = goesOn ? windows.next(block, at) : Optional.empty();
    LostBlock.Window window =
        next.isPresent()
            ? next.get()
            : windows.rebuild(demand.reader(), block, at, wanted, useful, largest);
    if (goesOn && useful >= largest) {
      windows.begin(block, window.end(), largest);
    }
    return window;
  }

  private void requireOpen() throws IOException {
    if (closed) {
      throw new IOException("Stream closed");
    }
  }

  /**
   * Rethrows failures that parity cannot help with: the file is gone or forbidden, or the reader
   * was closed or interrupted.
   */
  private void requireWorthTrying(IOException e) throws IOException {
    boolean gone = e instanceof FileNotFoundException && !lookup.survivesRename();
    if (closed || gone || e instanceof AccessControlException) {
      throw e;
    }
    requireNotInterrupted(e);
  }

  private static void requireNotInterrupted(IOException e) throws IOException {
    if (Interrupts.isInterrupt(e)) {
      throw e;
    }
  }

  @Override
  public synchronized void seek(long to) throws IOException {
    requireOpen();
    hdfs.seek(to); // validates the position
    boolean skips = to >= position && to - position <= LostBlock.SMALLEST_WINDOW;
    if (!skips && !windows.cover(to)) {
      readahead.sought();
      windows.cancel();
    }
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

  /** There is no other source of a block that HDFS cannot read. */
  @Override
  public synchronized boolean seekToNewSource(long target) throws IOException {
    boolean found = false;
    if (losses.at(target).isEmpty()) {
      try {
        found = askInTime(target, () -> hdfs.seekToNewSource(target));
      } catch (IOException e) {
        requireWorthTrying(e);
        leaveBlock();
      }
    }
    if (!found) {
      seek(target);
    }
    position = target;
    return found;
  }

  /**
   * Called after a failure that leaves HDFS's client in the belief that it is reading a block: it
   * would fail on it with a NullPointerException. It forgets the block when it leaves it. At least
   * one of these positions is not in the buffer of a decrypting stream, which does not pass on a
   * seek within it.
   */
  private void leaveBlock() throws IOException {
    hdfs.unbuffer(); // drops the connection, on which half an answer may be left
    hdfs.seek(length());
    hdfs.seek(0);
  }

  @Override
  public void setReadahead(Long bytes) throws IOException {
    hdfs.setReadahead(bytes);
    readahead.limit(bytes);
  }

  @Override
  public void setDropBehind(Boolean dropCache) throws IOException {
    hdfs.setDropBehind(dropCache);
  }

  @Override
  public synchronized void unbuffer() {
    windows.drop();
    windows.cancel();
    readahead.sought();
    hdfs.unbuffer();
  }

  @Override
  public boolean hasCapability(String capability) {
    return hdfs.hasCapability(capability);
  }

  @Override
  public void close() throws IOException {
    closed = true;
    unclosed.clean();
    losses.clear();
    hdfs.close();
  }
}
