// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidapi;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonProperty.Access;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.util.Locale;
import java.util.Optional;

/**
 * The body of every answer whose status is not 2xx: a problem of RFC 9457 with more members, {@code
 * code} and {@code hint} and, if a change was refused as a whole, {@code change}.
 *
 * @param code the kind of the failure, for programs
 * @param status the HTTP status of the answer
 * @param message what went wrong, with names and numbers; the member {@code detail}
 * @param hint what to do about it; may be empty
 * @param change the change that was refused, with the reason for each file; absent for all other
 *     failures
 */
@JsonPropertyOrder({"type", "title", "status", "detail", "code", "hint", "change"})
public record ApiError(
    ErrorCode code,
    int status,
    @JsonProperty("detail") String message,
    String hint,
    @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<ChangePreview> change) {
  /** Media type of an error, see RFC 9457. */
  public static final String MEDIA_TYPE = "application/problem+json";

  private static final String TYPE = "urn:hdfs-raid:problem:";

  public ApiError {
    code = code == null ? ErrorCode.UNKNOWN : code;
    status = status == 0 ? code.httpStatus() : status;
    message = Absent.toEmpty(message);
    hint = Absent.toEmpty(hint);
    change = Absent.toEmpty(change);
  }

  public ApiError(ErrorCode code, int status, String message, String hint) {
    this(code, status, message, hint, Optional.empty());
  }

  /** Creates an error with the HTTP status of its code. */
  public ApiError(ErrorCode code, String message, String hint) {
    this(code, 0, message, hint);
  }

  /** Creates the error of a change that was refused as a whole. */
  public static ApiError refused(ChangePreview change, String message, String hint) {
    return new ApiError(ErrorCode.REFUSED, 0, message, hint, Optional.of(change));
  }

  /** Returns a URI that names the code. */
  @JsonProperty(access = Access.READ_ONLY)
  public String type() {
    return TYPE + code.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Returns what errors with this code have in common. */
  @JsonProperty(access = Access.READ_ONLY)
  public String title() {
    return code.title();
  }
}
