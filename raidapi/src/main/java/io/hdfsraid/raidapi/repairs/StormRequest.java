// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidapi.repairs;

import io.hdfsraid.raidapi.ChangeRequest;

/**
 * Requests that all repairs go on although much has failed at once.
 *
 * @param dryRun only show what would happen; absent means true
 */
public record StormRequest(Boolean dryRun) implements ChangeRequest {
  public StormRequest {
    dryRun = dryRun == null || dryRun;
  }
}
