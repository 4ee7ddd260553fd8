// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest.tasks;

import io.hdfsraid.raidnode.schedule.Failures;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** Carries out steps one after another. */
record TaskSteps(List<Step> steps) implements TaskWork {
  private static final Logger LOG = LoggerFactory.getLogger(TaskSteps.class);

  @Override
  public void run(TaskMeter meter) throws InterruptedIOException {
    meter.plan(steps.size(), steps.stream().mapToLong(Step::bytes).sum());
    for (Step step : steps) {
      if (Thread.currentThread().isInterrupted()) {
        return; // Cancelled: the remaining steps are not started.
      }
      run(step, meter);
    }
  }

  private static void run(Step step, TaskMeter meter) throws InterruptedIOException {
    Budget budget = new Budget(step.bytes(), meter);
    meter.patience().await();
    Optional<String> whyNot = attempt(step, budget, meter);
    while (whyNot.isEmpty()) {
      meter.patience().await();
      whyNot = attempt(step, budget, meter);
    }
    budget.close();
    if (whyNot.get().isEmpty()) {
      meter.done();
    } else {
      meter.failed(step.subject(), whyNot.get());
    }
  }

  /**
   * Returns why the step was not carried out, in words; no words if it was. Empty if the step is to
   * be repeated.
   */
  private static Optional<String> attempt(Step step, Budget budget, TaskMeter meter) {
    try {
      return Optional.of(step.work().run(budget::spend).orElse(""));
    } catch (IOException | RuntimeException e) {
      if (meter.patience().isTriedBy(e)) {
        return Optional.empty();
      }
      // The journal has what failed and why, also if another task holds the file. The next steps go
      // on.
      LOG.atLevel(e instanceof RuntimeException ? Level.WARN : Level.DEBUG)
          .setCause(e)
          .log("A step of a task failed: {}", step.subject());
      return Optional.of(Failures.words(e));
    }
  }

  /** The bytes that a step may count, so that the sum of all steps is what was planned. */
  private static final class Budget {
    private final TaskMeter meter;
    private long left;

    Budget(long bytes, TaskMeter meter) {
      this.left = bytes;
      this.meter = meter;
    }

    synchronized void spend(long bytes) {
      long counted = Math.min(left, bytes);
      left -= counted;
      meter.read(counted);
    }

    /** What the step has not read, nobody will read. */
    synchronized void close() {
      meter.plan(0, -left);
      left = 0;
    }
  }
}
