package io.hdfsraid.raidapi;

import java.io.IOException;

/** The daemon said no, or could not be asked. The code tells which, the hint what to do. */
public final class RaidNodeException extends IOException {
  private static final long serialVersionUID = 1;

  private final ErrorCode code;
  private final String hint;

  public RaidNodeException(ErrorCode code, String message, String hint) {
    this(code, message, hint, null);
  }

  public RaidNodeException(ErrorCode code, String message, String hint, Throwable cause) {
    super(message, cause);
    this.code = code;
    this.hint = hint;
  }

  RaidNodeException(ApiError error) {
    this(error.code(), error.message(), error.hint());
  }

  public ErrorCode code() {
    return code;
  }

  /** What to do about it; may be empty. */
  public String hint() {
    return hint;
  }
}
