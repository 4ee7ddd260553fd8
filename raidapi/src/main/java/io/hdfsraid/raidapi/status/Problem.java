// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidapi.status;

import io.hdfsraid.raidapi.Absent;
import java.util.Set;

/**
 * A problem that an operator should know.
 *
 * @param code stable name, for alerts
 * @param hint what to do; may be empty
 */
public record Problem(String code, String message, String hint) {
  private static final Set<String> REQUESTED =
      Set.of("PAUSED", "WITHDRAWING", "WITHDRAWN", "WINDOWS_OVERRIDDEN");

  public Problem {
    message = Absent.toEmpty(message);
    hint = Absent.toEmpty(hint);
  }

  /** Returns whether an operator has asked for this state. Nothing is wrong then. */
  public boolean requested() {
    return REQUESTED.contains(code);
  }
}
