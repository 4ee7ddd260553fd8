// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.health;

import com.codahale.metrics.health.HealthCheck;
import io.hdfsraid.raidnode.schedule.Schedule;
import java.util.List;

/** Checks that no job has stopped: none runs, or waits for its start, for far too long. */
public final class JobsHealth extends HealthCheck {
  private final Schedule schedule;

  public JobsHealth(Schedule schedule) {
    this.schedule = schedule;
  }

  @Override
  protected Result check() {
    List<String> stalls = schedule.reports().stream().flatMap(job -> job.stall().stream()).toList();
    return stalls.isEmpty() ? Result.healthy() : Result.unhealthy(String.join("; ", stalls));
  }
}
