// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.blockfixer.repair;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;

/**
 * A schedule for polling the cluster until a condition holds.
 *
 * @param attempts how often to look, at least 1
 * @param delay waits between two attempts
 */
public record Polling(int attempts, Delay delay) {
  private static final int DOUBLINGS = 10;

  public Polling {
    if (attempts < 1) {
      throw new IllegalArgumentException("Polling needs 1 or more attempts, but got " + attempts);
    }
  }

  /** Lets time pass between two attempts. */
  @FunctionalInterface
  public interface Delay {
    void await() throws InterruptedException;

    /**
     * Waits after a given number of attempts.
     *
     * @param done number of attempts so far, 1 or more
     */
    default void await(int done) throws InterruptedException {
      await();
    }
  }

  /** Polls every {@code interval}, for {@code limit} in total. */
  public static Polling every(Duration limit, Duration interval) {
    return new Polling(attempts(limit, interval), () -> Thread.sleep(interval.toMillis()));
  }

  /**
   * Polls with exponential backoff, for conditions that usually hold within milliseconds. The first
   * pause is short, and each pause is twice as long as the previous one, up to {@code interval}.
   */
  public static Polling withBackoff(Duration first, Duration limit, Duration interval) {
    return new Polling(
        attempts(limit, interval) + DOUBLINGS, new Growing(first.toMillis(), interval.toMillis()));
  }

  /** Pauses in milliseconds. */
  record Growing(long first, long most) implements Delay {
    long millis(int done) {
      return Math.min(most, first << Math.min(done - 1, DOUBLINGS));
    }

    @Override
    public void await(int done) throws InterruptedException {
      Thread.sleep(millis(done));
    }

    @Override
    public void await() throws InterruptedException {
      Thread.sleep(most);
    }
  }

  private static int attempts(Duration limit, Duration interval) {
    long attempts = 1 + limit.toMillis() / Math.max(1, interval.toMillis());
    return (int) Math.min(attempts, Integer.MAX_VALUE - DOUBLINGS);
  }

  /** A condition of the cluster. */
  @FunctionalInterface
  public interface Check {
    boolean holds() throws IOException;
  }

  /**
   * Polls until the condition holds.
   *
   * @return false if it did not hold within the limit
   * @throws InterruptedIOException if interrupted; the thread's interrupt flag is set
   */
  public boolean until(Check check) throws IOException {
    for (int done = 1; !check.holds(); done++) {
      if (done == attempts) {
        return false;
      }
      try {
        delay.await(done);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw (IOException)
            new InterruptedIOException("Interrupted while waiting for the cluster").initCause(e);
      }
    }
    return true;
  }
}
