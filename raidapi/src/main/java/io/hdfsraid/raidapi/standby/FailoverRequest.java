// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidapi.standby;

import io.hdfsraid.raidapi.Absent;
import io.hdfsraid.raidapi.ChangeRequest;
import java.util.Optional;

/**
 * Requests that the active daemon leaves its work to one that stands by.
 *
 * @param to the host name of the machine whose daemon is to take over; empty for any
 * @param dryRun only show what would happen; absent means true
 */
public record FailoverRequest(Optional<String> to, Boolean dryRun) implements ChangeRequest {
  public FailoverRequest {
    to = Absent.toEmpty(to);
    dryRun = dryRun == null || dryRun;
  }
}
