// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.health;

import com.codahale.metrics.health.HealthCheck;
import io.hdfsraid.raidnode.schedule.JobReport;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Checks that no job runs, waits for its start, or fails again and again for far too long. */
public final class JobsHealth extends HealthCheck {
  /** Advice for a job that fails again and again. */
  public static final String AFTER_MANY_FAILURES =
      "Look into the log for the cause and mend it; the job runs again at its next time.";

  private final Supplier<List<JobReport>> jobs;
  private final BooleanSupplier outage;

  /**
   * @param outage whether so much of HDFS is away that it may explain why a job fails; answers at
   *     once. Other checks report that
   */
  public JobsHealth(Supplier<List<JobReport>> jobs, BooleanSupplier outage) {
    this.jobs = jobs;
    this.outage = outage;
  }

  @Override
  protected Result check() {
    boolean explained = outage.getAsBoolean();
    List<String> problems =
        jobs.get().stream()
            .flatMap(
                job ->
                    Stream.concat(
                        job.stall().stream(),
                        job.failing().stream()
                            .filter(failing -> !explained)
                            .map(failing -> failing + ". " + AFTER_MANY_FAILURES)))
            .toList();
    return problems.isEmpty() ? Result.healthy() : Result.unhealthy(String.join("; ", problems));
  }
}
