// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidapi.standby;

import io.hdfsraid.raidapi.Absent;
import java.util.Optional;

/**
 * The answer of the active daemon to a {@link FailoverRequest}.
 *
 * @param holder host and process of the active daemon
 * @param to the host name of the machine whose daemon is to take over; empty for any
 * @param reservedSeconds how long no other daemon, and not this one, takes over
 * @param begun whether this request has made the daemon leave its work
 */
public record FailoverReport(
    String holder, Optional<String> to, int reservedSeconds, boolean begun) {
  public FailoverReport {
    to = Absent.toEmpty(to);
  }
}
