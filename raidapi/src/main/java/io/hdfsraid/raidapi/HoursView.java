package io.hdfsraid.raidapi;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * When policies may act.
 *
 * @param wanted what an operator wants instead of what windows say; empty when they count
 * @param policies those that raid, in the order in which they are asked
 * @param changed whether this request changed it
 */
public record HoursView(Optional<Wanted> wanted, List<PolicyHours> policies, boolean changed) {
  /**
   * What an operator wants.
   *
   * @param until the first moment at which windows count again
   */
  public record Wanted(HoursRequest.Wish wish, Instant until) {}

  /** When one policy may act. */
  public record PolicyHours(String policy, RaidingOutlook.Hours hours) {}

  public HoursView {
    wanted = Absent.toEmpty(wanted);
    policies = Absent.toEmpty(policies);
  }
}
