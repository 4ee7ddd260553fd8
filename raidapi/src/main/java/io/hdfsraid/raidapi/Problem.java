package io.hdfsraid.raidapi;

import java.util.Set;

/**
 * Something an operator should know.
 *
 * @param code stable, for alerts
 * @param hint what to do; may be empty
 */
public record Problem(String code, String message, String hint) {
  private static final Set<String> INTENDED =
      Set.of("PAUSED", "WITHDRAWING", "WITHDRAWN", "HOURS_OVERRIDDEN");

  public Problem {
    message = Absent.toEmpty(message);
    hint = Absent.toEmpty(hint);
  }

  /** An operator wants it so: it is shown lest somebody wonders, and nothing is wrong. */
  public boolean intended() {
    return INTENDED.contains(code);
  }
}
