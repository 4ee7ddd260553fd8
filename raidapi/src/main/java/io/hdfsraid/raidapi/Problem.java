package io.hdfsraid.raidapi;

/**
 * Something an operator should know.
 *
 * @param code stable, for alerts
 * @param hint what to do; may be empty
 */
public record Problem(String code, String message, String hint) {
  public Problem {
    message = Absent.toEmpty(message);
    hint = Absent.toEmpty(hint);
  }
}
