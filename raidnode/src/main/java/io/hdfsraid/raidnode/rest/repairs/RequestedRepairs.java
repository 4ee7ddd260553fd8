// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest.repairs;

import io.hdfsraid.blockfixer.repair.Polling;
import io.hdfsraid.raidnode.catalog.RepairLedger;
import io.hdfsraid.raidnode.catalog.RepairState;
import io.hdfsraid.raidnode.catalog.RepairStatus;
import io.hdfsraid.raidnode.catalog.StripeKey;
import io.hdfsraid.raidnode.rest.tasks.TaskMeter;
import io.hdfsraid.raidnode.rest.tasks.TaskWork;
import io.hdfsraid.raidnode.schedule.Failures;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The repairs of a request as the work of a task, whose steps are stripes. The ledger shows whether
 * a stripe was repaired: what is repaired leaves it.
 */
final class RequestedRepairs implements TaskWork {
  private static final Logger LOG = LoggerFactory.getLogger(RequestedRepairs.class);

  private static final Polling OTHER_JOBS =
      Polling.withBackoff(Duration.ofMillis(10), Duration.ofHours(1), Duration.ofSeconds(1));

  private final RepairLedger ledger;
  private final Map<StripeKey, Long> planned = new LinkedHashMap<>();
  private final List<Attempt> attempts = new ArrayList<>();
  private long further;

  /** Repairs some of the stripes. */
  @FunctionalInterface
  interface Attempt {
    /**
     * Repairs these stripes, as far as they are in the ledger.
     *
     * @param ended told of each stripe when the attempt to repair it has ended
     */
    void run(Consumer<StripeKey> ended) throws IOException;
  }

  RequestedRepairs(RepairLedger ledger) {
    this.ledger = ledger;
  }

  /** Adds a stripe that is to be repaired. */
  void plan(StripeKey stripe, long bytesToRead) {
    planned.put(stripe, bytesToRead);
  }

  /** Adds stripes that are to be repaired and of which only the number is known. */
  void planFurther(long stripes) {
    further += stripes;
  }

  int planned() {
    return planned.size();
  }

  void add(Attempt attempt) {
    attempts.add(attempt);
  }

  boolean isEmpty() {
    return attempts.isEmpty();
  }

  @Override
  public void run(TaskMeter meter) throws IOException {
    meter.plan(
        planned.size() + further, planned.values().stream().mapToLong(Long::longValue).sum());
    Set<StripeKey> counted = ConcurrentHashMap.newKeySet();
    Set<StripeKey> left = ConcurrentHashMap.newKeySet();
    left.addAll(planned.keySet());
    for (Attempt attempt : attempts) {
      meter.patience().await();
      while (!ends(attempt, counted, left, meter)) {
        meter.patience().await();
      }
    }
    // Another job may have repaired some of them meanwhile, or made an attempt in vain.
    left.removeAll(counted);
    awaitOtherJobs(left, meter);
    left.forEach(stripe -> count(stripe, meter));
  }

  /**
   * Waits, for an hour at most, while other jobs repair these: what was asked for is being done.
   */
  private void awaitOtherJobs(Set<StripeKey> stripes, TaskMeter meter) throws IOException {
    boolean unused =
        OTHER_JOBS.until(
            () -> {
              meter.patience().await();
              return stripes.stream().noneMatch(this::isRunning);
            });
  }

  private boolean isRunning(StripeKey stripe) {
    return ledger
        .find(stripe)
        .filter(repair -> repair.status() == RepairStatus.RUNNING)
        .isPresent();
  }

  /** Returns whether the attempt came to its end; false if trouble has cut it short. */
  private boolean ends(
      Attempt attempt, Set<StripeKey> counted, Set<StripeKey> left, TaskMeter meter)
      throws IOException {
    AtomicBoolean cutShort = new AtomicBoolean();
    try {
      attempt.run(
          stripe -> {
            if (meter.patience().isTried() && ledger.find(stripe).isPresent()) {
              cutShort.set(true);
            } else if (further > 0 || planned.containsKey(stripe)) {
              if (isRunning(stripe)) {
                left.add(stripe); // another job has taken it
              } else if (counted.add(stripe)) {
                count(stripe, meter);
              }
            }
          });
    } catch (IOException | RuntimeException e) {
      if (Failures.isInterrupt(e)) {
        throw e;
      }
      // The history has what failed. Its stripes are still in the ledger, which is counted later.
      LOG.debug("A part of the requested repairs failed", e);
      if (meter.patience().isTriedBy(e)) {
        cutShort.set(true);
      }
    }
    if (Thread.currentThread().isInterrupted()) {
      throw new InterruptedIOException("Interrupted before all stripes were repaired");
    }
    return !cutShort.get();
  }

  private void count(StripeKey stripe, TaskMeter meter) {
    Optional<RepairState> left = ledger.find(stripe);
    if (left.isPresent()) {
      meter.failed(
          left.get().path(),
          "stripe %d is %s: %s"
              .formatted(stripe.index(), left.get().status().tag(), left.get().reason()));
    } else {
      meter.done();
    }
    meter.read(planned.getOrDefault(stripe, 0L));
  }
}
