// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.repair;

import io.hdfsraid.raidnode.catalog.StripeKey;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Tracks which thread repairs which stripe, so that a repair can be cancelled. Safe for concurrent
 * use.
 */
final class RunningRepairs {
  /** Guarded by this. */
  private final Map<StripeKey, Run> running = new HashMap<>();

  /** A running repair, until it is closed. Belongs to the thread that has begun it. */
  final class Run implements AutoCloseable {
    private final StripeKey stripe;
    private final Thread thread = Thread.currentThread();
    private Optional<Instant> left = Optional.empty();

    private Run(StripeKey stripe) {
      this.stripe = stripe;
    }

    /** Returns until when the stripe is to be left alone, if the repair was cancelled. */
    Optional<Instant> left() {
      synchronized (RunningRepairs.this) {
        return left;
      }
    }

    @Override
    public void close() {
      synchronized (RunningRepairs.this) {
        running.remove(stripe, this);
        if (left.isPresent()) {
          Thread.interrupted(); // the interrupt was meant for this repair, not for the next work of
          // the thread
        }
      }
    }
  }

  /** Begins the repair of a stripe by the calling thread. No other thread works on the stripe. */
  synchronized Run begin(StripeKey stripe) {
    Run run = new Run(stripe);
    running.put(stripe, run);
    return run;
  }

  /** Interrupts the thread that works on the stripe, if there is one. */
  synchronized void cutOff(StripeKey stripe, Instant until) {
    Run run = running.get(stripe);
    if (run != null) {
      run.left = Optional.of(until);
      run.thread.interrupt();
    }
  }
}
