// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidapi;

import com.fasterxml.jackson.annotation.JsonEnumDefaultValue;

/** The kind of a failure. It decides the HTTP status and the exit code of the shell. */
public enum ErrorCode {
  /** The request is wrong: a parameter, the body, the method, a media type or its size. */
  BAD_REQUEST(400, "The request is wrong"),
  /** The request has no token or Kerberos ticket, or a wrong one. */
  UNAUTHORIZED(401, "The request comes from nobody that the daemon knows"),
  /** The role of the sender does not allow this. */
  FORBIDDEN(403, "The sender may not do this"),
  /** There is no such file, or the daemon knows nothing about it. */
  NOT_FOUND(404, "There is no such thing"),
  /** The request would endanger data or makes no sense; the message says which. */
  REFUSED(409, "The daemon refuses the request"),
  /** The daemon is starting, or waits for ownership or for the NameNode. */
  NOT_READY(503, "The daemon is not ready"),
  /** HDFS did not answer as the request needs. */
  IO(502, "HDFS did not answer as needed"),
  /** A bug of the daemon. */
  INTERNAL(500, "The daemon failed"),
  /** Client side: no process listens at the address, or it does not answer in time. */
  UNREACHABLE(0, "The daemon cannot be reached"),
  /** Client side: the process that answers is not a RaidNode. */
  NOT_A_RAIDNODE(0, "The server is not a RaidNode"),
  /** Client side: there is no token or Kerberos ticket, or it must not be sent. */
  NO_TOKEN(0, "There is no token or ticket to send"),
  /** A code that only a newer daemon knows. */
  @JsonEnumDefaultValue
  UNKNOWN(500, "The code of this failure is unknown");

  private final int httpStatus;
  private final String title;

  ErrorCode(int httpStatus, String title) {
    this.httpStatus = httpStatus;
    this.title = title;
  }

  /** Returns what failures with this code have in common, for people. */
  public String title() {
    return title;
  }

  /** Returns the HTTP status, or 0 for a code that only a client gives. */
  public int httpStatus() {
    return httpStatus;
  }
}
