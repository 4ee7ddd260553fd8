package io.hdfsraid.blockfixer.repair;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;

/**
 * How often to look again for something the cluster is about to do, and what to do in between.
 *
 * @param looks at least 1
 * @param between two looks, e.g. a pause
 */
public record Patience(int looks, Between between) {
  private static final int DOUBLINGS = 10;

  public Patience {
    if (looks < 1) {
      throw new IllegalArgumentException("Patience needs 1 or more looks, but got " + looks);
    }
  }

  /** What happens between two looks: time passes. */
  @FunctionalInterface
  public interface Between {
    void looks() throws InterruptedException;

    /**
     * Likewise.
     *
     * @param done how many looks there were, 1 or more
     */
    default void looks(int done) throws InterruptedException {
      looks();
    }
  }

  /** Looks every {@code interval}, for {@code limit} in all. */
  public static Patience of(Duration limit, Duration interval) {
    return new Patience(looks(limit, interval), () -> Thread.sleep(interval.toMillis()));
  }

  /**
   * The same for something that mostly happens within milliseconds: the first pause is short, and
   * each is twice as long as the one before, up to {@code interval}.
   */
  public static Patience soon(Duration first, Duration limit, Duration interval) {
    return new Patience(
        looks(limit, interval) + DOUBLINGS, new Growing(first.toMillis(), interval.toMillis()));
  }

  /** Pauses in milliseconds. */
  record Growing(long first, long most) implements Between {
    long pause(int done) {
      return Math.min(most, first << Math.min(done - 1, DOUBLINGS));
    }

    @Override
    public void looks(int done) throws InterruptedException {
      Thread.sleep(pause(done));
    }

    @Override
    public void looks() throws InterruptedException {
      Thread.sleep(most);
    }
  }

  private static int looks(Duration limit, Duration interval) {
    long looks = 1 + limit.toMillis() / Math.max(1, interval.toMillis());
    return (int) Math.min(looks, Integer.MAX_VALUE - DOUBLINGS);
  }

  /** A question to the cluster. */
  @FunctionalInterface
  public interface Look {
    boolean holds() throws IOException;
  }

  /**
   * Looks until it holds.
   *
   * @return false when it did not within the limit
   * @throws InterruptedIOException when interrupted in between; the thread's flag is set
   */
  public boolean until(Look look) throws IOException {
    for (int done = 1; !look.holds(); done++) {
      if (done == looks) {
        return false;
      }
      try {
        between.looks(done);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw (IOException)
            new InterruptedIOException("Interrupted while waiting for the cluster").initCause(e);
      }
    }
    return true;
  }
}
