// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.stripe;

import io.hdfsraid.drfs.block.Interrupts;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Optional;
import java.util.concurrent.Semaphore;

/**
 * A limit on the memory of the rows of all stripes being processed. A stripe waits until there is
 * room for its rows, in first-come-first-served order. A stripe that needs more than the whole
 * limit runs alone. Safe for concurrent use.
 *
 * <p>Rows of sub-packetised codes are long (α MiB of every unit), so the number of workers alone
 * does not limit the memory.
 */
public final class RowMemory {
  /** No limit, for callers that process only a few stripes at a time. */
  public static final RowMemory UNLIMITED = new RowMemory(Long.MAX_VALUE);

  private static final int GRANULE = 1024;

  private final int granules;
  private final Semaphore free;

  /**
   * @param bytes counted in KiB
   */
  public RowMemory(long bytes) {
    if (bytes < 1) {
      throw new IllegalArgumentException("Rows need memory, but got %d bytes".formatted(bytes));
    }
    this.granules = granules(bytes);
    boolean firstComeFirstServed = true;
    this.free = new Semaphore(granules, firstComeFirstServed);
  }

  private static int granules(long bytes) {
    return (int) Math.min(Integer.MAX_VALUE, bytes / GRANULE + (bytes % GRANULE == 0 ? 0 : 1));
  }

  /** Work to do while the memory is held. */
  @FunctionalInterface
  interface Work<T> {
    T run() throws IOException;
  }

  /** Memory that is held until the lease is closed. */
  public interface Lease extends AutoCloseable {
    @Override
    void close();
  }

  /**
   * Acquires additional memory for work that already holds some, if it is available immediately.
   * Waiting could deadlock: two tasks that hold memory could wait for each other.
   */
  public Optional<Lease> spare(long bytes) {
    int taken = granules(bytes);
    return free.tryAcquire(taken) ? Optional.of(() -> free.release(taken)) : Optional.empty();
  }

  /**
   * Waits for the memory, runs the work, and releases the memory.
   *
   * @throws InterruptedIOException if interrupted while waiting; the thread's interrupt flag is set
   */
  <T> T during(long bytes, Work<T> work) throws IOException {
    int taken = Math.min(granules, granules(bytes));
    try {
      free.acquire(taken);
    } catch (InterruptedException e) {
      throw Interrupts.interrupted("waiting for memory", e);
    }
    try {
      return work.run();
    } finally {
      free.release(taken);
    }
  }
}
