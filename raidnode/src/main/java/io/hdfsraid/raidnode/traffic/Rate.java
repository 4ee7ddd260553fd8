// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.traffic;

import io.github.bucket4j.Bandwidth;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.TimeMeter;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Limits permits per second, with a burst of one second. A caller that needs more permits takes
 * those that are there and waits for the rest. It holds no lock meanwhile, so many callers share
 * the rate. A change also reaches callers that wait. Safe for concurrent use.
 */
final class Rate {
  /** A token bucket fills by at most one token a nanosecond: of faster ones a token is several. */
  private static final long FASTEST = TimeUnit.SECONDS.toNanos(1);

  /** Who waits for many looks again when a tenth of a second's worth may be there. */
  private static final int LOOKS_PER_SECOND = 10;

  private final TimeMeter time;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  // All guarded by lock.
  private long perSecond;
  private long permitsOfToken;
  private Bucket bucket;

  /**
   * A rate that has not been used.
   *
   * @param perSecond {@link Tuning#UNLIMITED} or how many
   */
  Rate(long perSecond, TimeMeter time) {
    this.time = time;
    set(perSecond, perSecond);
  }

  /** From now on; nothing is saved up, so that a change is no burst. */
  void set(long permitsPerSecond) {
    lock.lock();
    try {
      if (permitsPerSecond != perSecond) {
        set(permitsPerSecond, 0);
        changed.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  private void set(long permitsPerSecond, long savedUp) {
    perSecond = permitsPerSecond;
    if (perSecond == Tuning.UNLIMITED) {
      bucket = null;
      return;
    }
    permitsOfToken = 1 + (perSecond - 1) / FASTEST;
    long tokens = perSecond / permitsOfToken;
    bucket =
        Bucket.builder()
            .addLimit(
                Bandwidth.builder()
                    .capacity(tokens)
                    .refillGreedy(tokens, Duration.ofSeconds(1))
                    .initialTokens(savedUp / permitsOfToken)
                    .build())
            .withCustomTimePrecision(time)
            .build();
  }

  /**
   * Takes permits, waiting for them.
   *
   * @throws InterruptedIOException when interrupted while waiting; the thread's flag is set
   */
  void take(long permits) throws InterruptedIOException {
    if (permits == 0) {
      return;
    }
    try {
      lock.lockInterruptibly();
      try {
        long left = permits;
        while (bucket != null) {
          left -= takeWhatIsThere(left);
          if (left <= 0) {
            return;
          }
          long unused = changed.awaitNanos(nanosUntil(left));
        }
      } finally {
        lock.unlock();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (InterruptedIOException)
          new InterruptedIOException("Interrupted while keeping to a rate").initCause(e);
    }
  }

  private long takeWhatIsThere(long permits) {
    return bucket.tryConsumeAsMuchAsPossible(tokens(permits)) * permitsOfToken;
  }

  /** Nanoseconds until what is left, or a good piece of it, may be there. */
  private long nanosUntil(long left) {
    long piece = Math.max(1, tokens(perSecond) / LOOKS_PER_SECOND);
    return Math.max(
        1,
        bucket.estimateAbilityToConsume(Math.min(tokens(left), piece)).getNanosToWaitForRefill());
  }

  /** Takes permits that there may not be yet; others wait until they would have been. */
  void takeAtOnce(long permits) {
    lock.lock();
    try {
      if (bucket != null) {
        long unused = bucket.consumeIgnoringRateLimits(tokens(permits));
      }
    } finally {
      lock.unlock();
    }
  }

  private long tokens(long permits) {
    return 1 + (permits - 1) / permitsOfToken;
  }
}
