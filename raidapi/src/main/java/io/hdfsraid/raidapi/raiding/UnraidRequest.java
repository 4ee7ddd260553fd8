// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidapi.raiding;

import io.hdfsraid.raidapi.ChangeRequest;
import io.hdfsraid.raidapi.Requests;

/**
 * Requests to restore the replicas of a file, or of all files below a directory, and to retire its
 * parity.
 *
 * @param dryRun only show what would happen; absent means true
 */
public record UnraidRequest(String path, Boolean dryRun) implements ChangeRequest {
  public UnraidRequest {
    path = Requests.absolute(path);
    dryRun = dryRun == null || dryRun;
  }
}
