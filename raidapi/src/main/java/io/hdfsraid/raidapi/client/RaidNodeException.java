// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidapi.client;

import io.hdfsraid.raidapi.ApiError;
import io.hdfsraid.raidapi.ErrorCode;
import java.io.IOException;

/**
 * The daemon refused a request, failed, or could not be reached. The code says which, and the hint
 * says what to do.
 */
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

  /** Returns what to do about the failure; may be empty. */
  public String hint() {
    return hint;
  }
}
