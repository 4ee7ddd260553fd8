package io.hdfsraid.raidapi;

import com.fasterxml.jackson.annotation.JsonEnumDefaultValue;

/** What kind of failure an {@link ApiError} tells of; decides the HTTP status and the exit code. */
public enum ErrorCode {
  /** A parameter is missing or impossible. */
  BAD_REQUEST(400),
  /** No token, or not the right one. */
  UNAUTHORIZED(401),
  /** The token does not allow this. */
  FORBIDDEN(403),
  /** No such file, or nothing known about it. */
  NOT_FOUND(404),
  /** Refused because it would endanger data or is not sensible; the message says which. */
  REFUSED(409),
  /** The daemon is starting, waits for ownership or for the NameNode. */
  NOT_READY(503),
  /** HDFS did not answer as needed. */
  IO(502),
  /** A fault of the daemon. */
  INTERNAL(500),
  /** Client side: nobody listens there, or not in time. */
  UNREACHABLE(0),
  /** Client side: whoever answers there is no RaidNode. */
  NOT_A_RAIDNODE(0),
  /** Client side: the token file cannot be read. */
  NO_TOKEN(0),
  /** From a newer daemon. */
  @JsonEnumDefaultValue
  UNKNOWN(500);

  private final int httpStatus;

  ErrorCode(int httpStatus) {
    this.httpStatus = httpStatus;
  }

  /** 0 for those that only a client gives. */
  public int httpStatus() {
    return httpStatus;
  }
}
