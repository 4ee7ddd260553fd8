package io.hdfsraid.drfs.fs;

import io.hdfsraid.drfs.stripe.RowMemory;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;

/**
 * Rebuilds the window behind the one that a sequential reader is reading, as far as there is memory
 * for it. One instance serves one stream. Safe for concurrent use.
 */
final class NextWindow {
  private final ExecutorService executor;
  private final RowMemory memory;

  // Both guarded by this.
  private Optional<Pending> pending = Optional.empty();
  private boolean closed;

  /**
   * @param executor not bounded, because the rebuild itself uses it
   * @param memory for windows that nobody has taken yet; never waited for
   */
  NextWindow(ExecutorService executor, RowMemory memory) {
    this.executor = executor;
    this.memory = memory;
  }

  private record Pending(
      LostBlock block, long start, Future<LostBlock.Window> window, RowMemory.Lease lease) {
    void cancel() {
      window.cancel(true);
      lease.close();
    }
  }

  /** Begins to rebuild from a position on, unless a window is pending or the block ends there. */
  synchronized void begin(LostBlock block, long start, int largest) {
    if (closed || pending.isPresent() || !block.contains(start)) {
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
      pending = Optional.of(new Pending(block, start, window, lease.get()));
    } catch (RejectedExecutionException e) {
      lease.get().close(); // the file system was closed
    }
  }

  /**
   * Returns the window if it begins at this position, and drops any other.
   *
   * @throws InterruptedIOException if interrupted while waiting for it; the interrupt flag is set
   */
  Optional<LostBlock.Window> take(LostBlock block, long position) throws IOException {
    Optional<Pending> taken = remove();
    if (taken.isEmpty()) {
      return Optional.empty();
    }
    if (taken.get().block() != block || taken.get().start() != position) {
      taken.get().cancel();
      return Optional.empty();
    }
    try {
      return Optional.of(taken.get().window().get());
    } catch (InterruptedException e) {
      taken.get().window().cancel(true);
      Thread.currentThread().interrupt();
      throw (IOException)
          new InterruptedIOException("Interrupted while a block was rebuilt").initCause(e);
    } catch (CancellationException e) {
      return Optional.empty();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException failure) {
        throw failure;
      }
      throw new IOException("The block could not be rebuilt", e.getCause());
    } finally {
      taken.get().lease().close();
    }
  }

  /** Begins nothing any more; may be called while another thread reads. */
  void close() {
    synchronized (this) {
      closed = true;
    }
    cancel();
  }

  /** Drops what is pending. */
  void cancel() {
    remove().ifPresent(Pending::cancel);
  }

  private synchronized Optional<Pending> remove() {
    Optional<Pending> removed = pending;
    pending = Optional.empty();
    return removed;
  }
}
