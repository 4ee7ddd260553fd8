// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest;

import io.hdfsraid.raidapi.ApiError;
import io.hdfsraid.raidapi.ErrorCode;

/** Ends a request with an error. Code, message and hint go to the client unchanged. */
public final class ApiFailure extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient ApiError error;

  public ApiFailure(ErrorCode code, String message, String hint) {
    super(message);
    this.error = new ApiError(code, message, hint);
  }

  public ApiFailure(ApiError error) {
    super(error.message());
    this.error = error;
  }

  public static ApiFailure badRequest(String message, String hint) {
    return new ApiFailure(ErrorCode.BAD_REQUEST, message, hint);
  }

  public static ApiFailure notFound(String message, String hint) {
    return new ApiFailure(ErrorCode.NOT_FOUND, message, hint);
  }

  /**
   * Returns a refusal: the request would endanger data or makes no sense, and the message says
   * which.
   */
  public static ApiFailure refused(String message, String hint) {
    return new ApiFailure(ErrorCode.REFUSED, message, hint);
  }

  public ApiError error() {
    return error;
  }
}
