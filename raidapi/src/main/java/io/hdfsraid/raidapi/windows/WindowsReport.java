// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidapi.windows;

import io.hdfsraid.raidapi.Absent;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * When policies may act.
 *
 * @param override what an operator has set instead of the windows; empty if the windows count
 * @param policies the policies that raid, in the order in which they are asked
 * @param changed whether this request changed the override
 */
public record WindowsReport(
    Optional<WindowOverride> override, List<PolicyWindow> policies, boolean changed) {
  /**
   * A mode that an operator has set for some time.
   *
   * @param until the first instant at which the windows count again
   */
  public record WindowOverride(WindowsRequest.Mode mode, Instant until) {}

  /** Whether one policy may act now. */
  public record PolicyWindow(String policy, WindowStatus window) {}

  public WindowsReport {
    override = Absent.toEmpty(override);
    policies = Absent.toEmpty(policies);
  }
}
