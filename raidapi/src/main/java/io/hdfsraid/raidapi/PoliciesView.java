package io.hdfsraid.raidapi;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The policies in force, in the order in which they are asked.
 *
 * @param excludes what no policy touches, built-in patterns included
 */
public record PoliciesView(List<PolicyView> policies, List<String> excludes, int minSavingPercent) {

  /**
   * One policy.
   *
   * @param minSize in bytes
   * @param schedule cron expression; empty: with every scan
   * @param nextRun empty when not scheduled
   */
  public record PolicyView(
      String name,
      List<String> paths,
      List<String> excludes,
      Duration coldAfter,
      Duration minAge,
      long minSize,
      String codec,
      int targetReplication,
      int parityReplication,
      Optional<String> schedule,
      Optional<Instant> nextRun) {
    public PolicyView {
      paths = Absent.toEmpty(paths);
      excludes = Absent.toEmpty(excludes);
      schedule = Absent.toEmpty(schedule);
      nextRun = Absent.toEmpty(nextRun);
    }
  }

  public PoliciesView {
    policies = Absent.toEmpty(policies);
    excludes = Absent.toEmpty(excludes);
  }
}
