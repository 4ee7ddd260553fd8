package io.hdfsraid.raidnode.rounds;

import io.hdfsraid.raidnode.catalog.StripeKey;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Which thread repairs which stripe, so that one can be cut off. Safe for concurrent use. */
final class RunningRepairs {
  /** Guarded by this. */
  private final Map<StripeKey, Run> running = new HashMap<>();

  /** A repair that runs, until it is closed. Belongs to the thread that has begun it. */
  final class Run implements AutoCloseable {
    private final StripeKey stripe;
    private final Thread thread = Thread.currentThread();
    private Optional<Instant> left = Optional.empty();

    private Run(StripeKey stripe) {
      this.stripe = stripe;
    }

    /** Until when the stripe is to be left, when it was cut off. */
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
          Thread.interrupted(); // it was meant for this stripe, and not for the thread's next
        }
      }
    }
  }

  /** The calling thread begins with a stripe, on which no other thread is at work. */
  synchronized Run begin(StripeKey stripe) {
    Run run = new Run(stripe);
    running.put(stripe, run);
    return run;
  }

  /** Interrupts whoever works on the stripe, if anybody does. */
  synchronized void cutOff(StripeKey stripe, Instant until) {
    Run run = running.get(stripe);
    if (run != null) {
      run.left = Optional.of(until);
      run.thread.interrupt();
    }
  }
}
