package io.hdfsraid.raidapi;

/**
 * The body of every answer whose status is not 2xx.
 *
 * @param message what went wrong, with names and numbers
 * @param hint what to do about it; may be empty
 */
public record ApiError(ErrorCode code, String message, String hint) {
  public ApiError {
    code = code == null ? ErrorCode.UNKNOWN : code;
    message = Absent.toEmpty(message);
    hint = Absent.toEmpty(hint);
  }
}
