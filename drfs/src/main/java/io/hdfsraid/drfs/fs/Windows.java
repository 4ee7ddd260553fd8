package io.hdfsraid.drfs.fs;

import io.hdfsraid.drfs.block.Interrupts;
import io.hdfsraid.drfs.stripe.RowMemory;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;

/**
 * The rebuilt bytes that a stream keeps: the window that it is reading, and for a sequential reader
 * the one behind it, which is rebuilt meanwhile. They are counted in the memory of the client; if
 * there is none, no more is rebuilt than the reader asks for, or 4 KiB, and nothing ahead. Safe for
 * concurrent use.
 */
final class Windows {
  private final ExecutorService executor;
  private final RowMemory memory;

  // All guarded by this.
  private Optional<Held> current = Optional.empty();
  private Optional<Pending> next = Optional.empty();
  private boolean closed;

  /**
   * @param executor not bounded, because the rebuild itself uses it
   * @param memory never waited for
   */
  Windows(ExecutorService executor, RowMemory memory) {
    this.executor = executor;
    this.memory = memory;
  }

  private record Held(LostBlock.Window window, Optional<RowMemory.Lease> lease) {
    void release() {
      lease.ifPresent(RowMemory.Lease::close);
    }
  }

  private record Pending(
      LostBlock block, long start, Future<LostBlock.Window> window, RowMemory.Lease lease) {
    void cancel() {
      window.cancel(true);
      lease.close();
    }
  }

  /** Returns the window that is being read if it has this position. */
  synchronized Optional<LostBlock.Window> current(LostBlock block, long position) {
    return current
        .map(Held::window)
        .filter(window -> window.block() == block && window.contains(position));
  }

  /**
   * Rebuilds a window from a position on and keeps it, in place of the one before.
   *
   * @param wanted what the reader asks for
   * @param useful how much to rebuild if there is memory for it
   * @param largest the maximum, unless a row is longer
   */
  LostBlock.Window rebuild(LostBlock block, long position, int wanted, int useful, int largest)
      throws IOException {
    drop();
    long whole = block.windowBytes(largest);
    long bytes = useful >= largest ? whole : Math.min(useful, whole);
    Optional<RowMemory.Lease> lease = memory.spare(Math.min(bytes, block.end() - position));
    // Less than the largest, for which whole rows would be rebuilt.
    int least = Math.min(largest - 1, Math.max(LostBlock.SMALLEST_WINDOW, wanted));
    boolean kept = false;
    try {
      LostBlock.Window window =
          block.rebuild(position, lease.isPresent() ? useful : Math.min(useful, least), largest);
      keep(new Held(window, lease));
      kept = true;
      return window;
    } finally {
      if (!kept) {
        lease.ifPresent(RowMemory.Lease::close);
      }
    }
  }

  /** Begins to rebuild from a position on, unless a window is pending or the block ends there. */
  synchronized void begin(LostBlock block, long start, int largest) {
    if (closed || next.isPresent() || !block.contains(start)) {
      return;
    }
    Optional<RowMemory.Lease> lease =
        memory.spare(Math.min(block.windowBytes(largest), block.end() - start));
    if (lease.isEmpty()) {
      return;
    }
    try {
      Future<LostBlock.Window> window =
          executor.submit(() -> block.rebuild(start, largest, largest));
      next = Optional.of(new Pending(block, start, window, lease.get()));
    } catch (RejectedExecutionException | OutOfMemoryError e) {
      lease.get().close(); // the file system was closed, or there is no memory for a thread
    }
  }

  /**
   * Returns the next window if it begins at this position, and keeps it in place of the one before.
   * Drops any other.
   *
   * @throws InterruptedIOException if interrupted while waiting for it; the interrupt flag is set
   */
  Optional<LostBlock.Window> next(LostBlock block, long position) throws IOException {
    Optional<Pending> taken = removeNext();
    if (taken.isEmpty()) {
      return Optional.empty();
    }
    Pending pending = taken.get();
    if (pending.block() != block || pending.start() != position) {
      pending.cancel();
      return Optional.empty();
    }
    drop();
    boolean kept = false;
    try {
      LostBlock.Window window =
          Interrupts.await(pending.window(), "waiting for a block to be rebuilt");
      keep(new Held(window, Optional.of(pending.lease())));
      kept = true;
      return Optional.of(window);
    } catch (CancellationException e) {
      return Optional.empty();
    } finally {
      if (!kept) {
        pending.cancel();
      }
    }
  }

  private synchronized void keep(Held held) {
    drop();
    if (closed) {
      held.release();
    } else {
      current = Optional.of(held);
    }
  }

  /** Drops this window: it has been read, and nobody comes back for it but by a seek. */
  synchronized void drop(LostBlock.Window read) {
    long end = read.end();
    if (current(read.block(), read.start()).filter(window -> window.end() == end).isPresent()) {
      drop();
    }
  }

  /** Drops the window that is being read. */
  synchronized void drop() {
    current.ifPresent(Held::release);
    current = Optional.empty();
  }

  /** Drops what is rebuilt ahead. */
  void cancel() {
    removeNext().ifPresent(Pending::cancel);
  }

  /** Drops everything and keeps nothing any more; may be called while another thread reads. */
  void close() {
    synchronized (this) {
      closed = true;
    }
    drop();
    cancel();
  }

  private synchronized Optional<Pending> removeNext() {
    Optional<Pending> removed = next;
    next = Optional.empty();
    return removed;
  }
}
