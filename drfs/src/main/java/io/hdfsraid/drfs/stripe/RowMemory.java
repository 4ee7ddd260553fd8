package io.hdfsraid.drfs.stripe;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Optional;
import java.util.concurrent.Semaphore;

/**
 * How many bytes the rows of all stripes in work may take together. A stripe waits until there is
 * room for its rows, first come, first served; one that wants more than there is works alone. Safe
 * for concurrent use.
 *
 * <p>Rows of sub-packetised codes are long (α MiB of every unit), so that a number of workers alone
 * does not bound what they take.
 */
public final class RowMemory {
  /** More than any machine has: where only few stripes are in work at once. */
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

  /** What is done while the memory is held. */
  @FunctionalInterface
  interface Work<T> {
    T run() throws IOException;
  }

  /** Memory that is held until it is closed. */
  interface Lease extends AutoCloseable {
    @Override
    void close();
  }

  /**
   * So much more memory for work that holds some already, if nobody needs to wait for it: two that
   * hold memory and wait for more might wait for each other.
   */
  Optional<Lease> spare(long bytes) {
    int taken = granules(bytes);
    return free.tryAcquire(taken) ? Optional.of(() -> free.release(taken)) : Optional.empty();
  }

  /**
   * Waits for so much memory, works, and gives it back.
   *
   * @throws InterruptedIOException when interrupted while waiting; the thread's flag is set
   */
  <T> T during(long bytes, Work<T> work) throws IOException {
    int taken = Math.min(granules, granules(bytes));
    try {
      free.acquire(taken);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException)
          new InterruptedIOException("Interrupted while waiting for memory").initCause(e);
    }
    try {
      return work.run();
    } finally {
      free.release(taken);
    }
  }
}
