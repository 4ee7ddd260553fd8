// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidapi.quarantine;

import io.hdfsraid.raidapi.ChangeRequest;
import io.hdfsraid.raidapi.Requests;

/**
 * Requests to restore or to purge the quarantined parity of a file, or of all files below a
 * directory.
 *
 * @param dryRun only show what would happen; absent means true
 */
public record QuarantineRequest(String path, Boolean dryRun) implements ChangeRequest {
  public QuarantineRequest {
    path = Requests.absolute(path);
    dryRun = dryRun == null || dryRun;
  }
}
