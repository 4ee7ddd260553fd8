package io.hdfsraid.raidapi;

import com.fasterxml.jackson.annotation.JsonEnumDefaultValue;

/** The kind of a failure. It decides the HTTP status and the exit code of the shell. */
public enum ErrorCode {
  /** A parameter is missing or impossible. */
  BAD_REQUEST(400),
  /** The request has no token, or a wrong one. */
  UNAUTHORIZED(401),
  /** The token does not allow this. */
  FORBIDDEN(403),
  /** There is no such file, or the daemon knows nothing about it. */
  NOT_FOUND(404),
  /** The request would endanger data or makes no sense; the message says which. */
  REFUSED(409),
  /** The daemon is starting, or waits for ownership or for the NameNode. */
  NOT_READY(503),
  /** HDFS did not answer as the request needs. */
  IO(502),
  /** A bug of the daemon. */
  INTERNAL(500),
  /** Client side: no process listens at the address, or it does not answer in time. */
  UNREACHABLE(0),
  /** Client side: the process that answers is not a RaidNode. */
  NOT_A_RAIDNODE(0),
  /** Client side: the token file cannot be read. */
  NO_TOKEN(0),
  /** A code that only a newer daemon knows. */
  @JsonEnumDefaultValue
  UNKNOWN(500);

  private final int httpStatus;

  ErrorCode(int httpStatus) {
    this.httpStatus = httpStatus;
  }

  /** Returns the HTTP status, or 0 for a code that only a client gives. */
  public int httpStatus() {
    return httpStatus;
  }
}
