// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.fs;

import io.hdfsraid.drfs.block.Interrupts;
import io.hdfsraid.drfs.stripe.RowMemory;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.LongSupplier;

/**
 * The rebuilt bytes that a stream keeps: the window that it is reading, for a sequential reader the
 * one behind it, which is rebuilt meanwhile, and the last one of its positioned readers. They are
 * counted in the memory of the client; if there is none, no more is rebuilt than the reader asks
 * for, or 4 KiB, and nothing ahead. Safe for concurrent use.
 */
final class Windows {
  private final ExecutorService executor;
  private final WindowMemory memory;
  private final LongSupplier nanoTime;

  // All guarded by this.
  private final Map<Reader, Held> held = new EnumMap<>(Reader.class);
  private Optional<Pending> next = Optional.empty();
  private boolean closed;

  /** A kind of reader, with a window of its own that the other kind does not take from it. */
  enum Reader {
    /** Reads at the position of the stream, and is expected to go on behind what it has read. */
    SEQUENTIAL,

    /** Reads at positions of its own. */
    POSITIONED
  }

  /**
   * @param executor not bounded, because the rebuild itself uses it
   * @param nanoTime as {@link System#nanoTime}
   */
  Windows(ExecutorService executor, WindowMemory memory, LongSupplier nanoTime) {
    this.executor = executor;
    this.memory = memory;
    this.nanoTime = nanoTime;
  }

  private static final class Held {
    private final LostBlock.Window window;
    private final Optional<RowMemory.Lease> lease;
    private long readNanos;

    Held(LostBlock.Window window, Optional<RowMemory.Lease> lease) {
      this.window = window;
      this.lease = lease;
    }

    void release() {
      lease.ifPresent(RowMemory.Lease::close);
    }
  }

  private record Pending(
      LostBlock block,
      long start,
      long bytes,
      Future<LostBlock.Window> window,
      RowMemory.Lease lease,
      long begunNanos) {
    boolean contains(long position) {
      return position >= start && position < start + bytes;
    }

    void cancel() {
      window.cancel(true);
      lease.close();
    }
  }

  /** Returns a window that has this position. */
  synchronized Optional<LostBlock.Window> current(LostBlock block, long position) {
    for (Held each : held.values()) {
      if (each.window.block() == block && each.window.contains(position)) {
        each.readNanos = nanoTime.getAsLong();
        return Optional.of(each.window);
      }
    }
    return Optional.empty();
  }

  /** Whether a sequential reader that seeks to this position goes on in what is here. */
  synchronized boolean cover(long position) {
    Held current = held.get(Reader.SEQUENTIAL);
    return (current != null && current.window.contains(position))
        || next.filter(pending -> pending.contains(position)).isPresent();
  }

  /**
   * Rebuilds a window from a position on and keeps it, in place of the one before of this reader.
   *
   * @param wanted what the reader asks for
   * @param useful how much to rebuild if there is memory for it
   * @param largest the maximum, unless a row is longer
   */
  LostBlock.Window rebuild(
      Reader reader, LostBlock block, long position, int wanted, int useful, int largest)
      throws IOException {
    drop(reader);
    long whole = block.windowBytes(largest);
    long bytes = useful >= largest ? whole : Math.min(useful, whole);
    Optional<RowMemory.Lease> lease = memory.spare(Math.min(bytes, block.end() - position));
    // Less than the largest, for which whole rows would be rebuilt.
    int least = Math.min(largest - 1, Math.max(LostBlock.SMALLEST_WINDOW, wanted));
    boolean kept = false;
    try {
      LostBlock.Window window =
          block.rebuild(position, lease.isPresent() ? useful : Math.min(useful, least), largest);
      keep(reader, new Held(window, lease));
      kept = true;
      return window;
    } finally {
      if (!kept) {
        lease.ifPresent(RowMemory.Lease::close);
      }
    }
  }

  /** Begins to rebuild from a position on, unless a window is pending or the block ends there. */
  void begin(LostBlock block, long start, int largest) {
    if (!mayBegin() || !block.contains(start)) {
      return;
    }
    long bytes = block.windowEnd(start, largest) - start;
    Optional<RowMemory.Lease> lease = memory.spare(bytes);
    if (lease.isEmpty()) {
      return;
    }
    boolean begun = false;
    try {
      begun = begin(block, start, bytes, largest, lease.get());
    } finally {
      if (!begun) {
        lease.get().close();
      }
    }
  }

  private synchronized boolean mayBegin() {
    return !closed && next.isEmpty();
  }

  private synchronized boolean begin(
      LostBlock block, long start, long bytes, int largest, RowMemory.Lease lease) {
    if (!mayBegin()) {
      return false;
    }
    try {
      Future<LostBlock.Window> window =
          executor.submit(() -> block.rebuild(start, largest, largest));
      next = Optional.of(new Pending(block, start, bytes, window, lease, nanoTime.getAsLong()));
      memory.held(this);
      return true;
    } catch (RejectedExecutionException e) {
      return false; // the file system was closed, or there is no memory for a thread
    }
  }

  /**
   * Returns the next window if it has this position, and keeps it in place of the one before. Drops
   * any other.
   *
   * @throws InterruptedIOException if interrupted while waiting for it; the interrupt flag is set
   */
  Optional<LostBlock.Window> next(LostBlock block, long position) throws IOException {
    Optional<Pending> taken = removeNext();
    if (taken.isEmpty()) {
      return Optional.empty();
    }
    Pending pending = taken.get();
    if (pending.block() != block || !pending.contains(position)) {
      pending.cancel();
      return Optional.empty();
    }
    drop(Reader.SEQUENTIAL);
    boolean kept = false;
    try {
      LostBlock.Window window =
          Interrupts.await(pending.window(), "waiting for a block to be rebuilt");
      keep(Reader.SEQUENTIAL, new Held(window, Optional.of(pending.lease())));
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

  private synchronized void keep(Reader reader, Held window) {
    drop(reader);
    if (closed) {
      window.release();
    } else {
      window.readNanos = nanoTime.getAsLong();
      held.put(reader, window);
      memory.held(this);
    }
  }

  /** Drops this window of this reader: it has been read, and nobody comes back but by a seek. */
  synchronized void drop(Reader reader, LostBlock.Window read) {
    Held there = held.get(reader);
    if (there != null && there.window.hasBytesOf(read)) {
      drop(reader);
    }
  }

  /** Drops the windows that are being read. */
  synchronized void drop() {
    for (Reader reader : Reader.values()) {
      drop(reader);
    }
  }

  private synchronized void drop(Reader reader) {
    Held dropped = held.remove(reader);
    if (dropped != null) {
      dropped.release();
    }
    forgetIfEmpty();
  }

  /** Drops what nobody has read since, and what nobody has come for. */
  synchronized void dropUnreadSince(long nanos) {
    for (Reader reader : Reader.values()) {
      Held there = held.get(reader);
      if (there != null && there.readNanos - nanos < 0) {
        drop(reader);
      }
    }
    if (next.filter(pending -> pending.begunNanos() - nanos < 0).isPresent()) {
      cancel();
    }
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
    forgetIfEmpty();
    return removed;
  }

  private synchronized void forgetIfEmpty() {
    if (held.isEmpty() && next.isEmpty()) {
      memory.released(this);
    }
  }
}
