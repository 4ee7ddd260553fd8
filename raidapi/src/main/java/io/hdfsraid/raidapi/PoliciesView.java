package io.hdfsraid.raidapi;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The policies in force, in the order in which they are asked.
 *
 * @param excludes what no policy touches, built-in patterns included
 * @param builtInExcludes those of the excludes that are there unless the file names others
 * @param windows when any policy may act, for people
 */
public record PoliciesView(
    List<PolicyView> policies,
    List<String> excludes,
    int minSavingPercent,
    List<String> builtInExcludes,
    String windows) {

  /**
   * One policy.
   *
   * @param minSize in bytes
   * @param schedule cron expression; empty: with every scan
   * @param nextRun empty when not scheduled
   * @param codec empty of a policy that does not raid; then it has no replication either
   * @param action raid, leave or unraid
   * @param when conditions that decide, besides paths, whether it speaks about a file: key and
   *     value
   * @param windows when it may act, those of all policies included, for people
   * @param capacity how full which space must be for it to act; empty: it always acts
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
      Optional<Instant> nextRun,
      String action,
      List<String> when,
      String windows,
      Optional<String> capacity) {
    public PolicyView {
      paths = Absent.toEmpty(paths);
      excludes = Absent.toEmpty(excludes);
      schedule = Absent.toEmpty(schedule);
      nextRun = Absent.toEmpty(nextRun);
      action = Absent.toEmpty(action);
      when = Absent.toEmpty(when);
      windows = Absent.toEmpty(windows);
      capacity = Absent.toEmpty(capacity);
    }
  }

  public PoliciesView {
    policies = Absent.toEmpty(policies);
    excludes = Absent.toEmpty(excludes);
    builtInExcludes = Absent.toEmpty(builtInExcludes);
    windows = Absent.toEmpty(windows);
  }
}
