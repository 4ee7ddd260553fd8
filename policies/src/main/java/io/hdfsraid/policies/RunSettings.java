// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.policies;

import io.hdfsraid.policies.capacity.CapacityRule;
import io.hdfsraid.policies.window.TimeWindows;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Objects;
import java.util.Optional;

/**
 * The runs of a policy: when it acts, and how much it may raid in one run.
 *
 * @param schedule Quartz cron expression of the runs; empty: each run of the daemon's own scan
 * @param misfire what becomes of a run that was missed
 * @param timeZone of the schedule, the windows and the dates in paths
 * @param windows those of this policy alone; those of all policies hold besides
 * @param capacity raids only to make room; empty: whatever room there is
 */
public record RunSettings(
    Optional<String> schedule,
    Misfire misfire,
    ZoneId timeZone,
    TimeWindows windows,
    Optional<CapacityRule> capacity,
    Budget budget) {
  /** The treatment of a run that was due while the daemon was down or still busy. */
  public enum Misfire {
    /** It is made up for at once, however many were missed: one run. */
    RUN,
    /** The next one is waited for. */
    SKIP
  }

  public RunSettings {
    Objects.requireNonNull(schedule, "schedule");
    Objects.requireNonNull(misfire, "misfire");
    Objects.requireNonNull(timeZone, "timeZone");
    Objects.requireNonNull(windows, "windows");
    Objects.requireNonNull(capacity, "capacity");
    Objects.requireNonNull(budget, "budget");
  }

  /** Without limits, by this schedule in UTC or, where there is none, with each scan. */
  public static RunSettings by(Optional<String> schedule) {
    return new RunSettings(
        schedule, Misfire.SKIP, ZoneOffset.UTC, TimeWindows.NONE, Optional.empty(), Budget.NONE);
  }
}
