// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidapi.policies;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.hdfsraid.raidapi.Absent;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The policies in force, in the order in which they are asked.
 *
 * @param excludes paths that no policy touches, built-in patterns included
 * @param builtInExcludes the excludes that apply unless the file names others
 * @param windows when any policy may act, for people
 */
public record PoliciesReport(
    List<PolicyView> policies,
    List<String> excludes,
    int minSavingPercent,
    List<String> builtInExcludes,
    String windows) {

  /**
   * One policy.
   *
   * @param minSize in bytes
   * @param schedule cron expression; empty if the policy runs with every scan
   * @param nextRun empty if not scheduled
   * @param codec empty if the policy does not raid; it then has no replication either
   * @param action raid, leave or unraid
   * @param when conditions besides the paths that decide whether the policy applies to a file, as
   *     key and value
   * @param windows when the policy may act, the windows of all policies included, for people
   * @param capacity the rule about the fill level at which the policy acts; empty if it always acts
   */
  public record PolicyView(
      String name,
      List<String> paths,
      List<String> excludes,
      @JsonProperty("coldAfterSeconds") Duration coldAfter,
      @JsonProperty("minAgeSeconds") Duration minAge,
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

  public PoliciesReport {
    policies = Absent.toEmpty(policies);
    excludes = Absent.toEmpty(excludes);
    builtInExcludes = Absent.toEmpty(builtInExcludes);
    windows = Absent.toEmpty(windows);
  }
}
