// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest.tasks;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Carries out steps one after another. */
record TaskSteps(List<Step> steps) implements TaskWork {
  private static final Logger LOG = LoggerFactory.getLogger(TaskSteps.class);

  @Override
  public void run(TaskMeter meter) {
    meter.plan(steps.size(), steps.stream().mapToLong(Step::bytes).sum());
    for (Step step : steps) {
      if (Thread.currentThread().isInterrupted()) {
        return; // Cancelled: the remaining steps are not started.
      }
      run(step, meter);
    }
  }

  private static void run(Step step, TaskMeter meter) {
    Budget budget = new Budget(step.bytes(), meter);
    Optional<String> whyNot;
    try {
      whyNot = step.work().run(budget::spend);
    } catch (IOException | RuntimeException e) {
      // The journal has what failed and why, also if another task holds the file. The next steps go
      // on.
      LOG.debug("A step of a task failed", e);
      whyNot = Optional.of(e.getMessage() == null ? e.toString() : e.getMessage());
    }
    budget.spend(Long.MAX_VALUE);
    if (whyNot.isPresent()) {
      meter.failed(step.subject(), whyNot.get());
    } else {
      meter.done();
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
  }
}
