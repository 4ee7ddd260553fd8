// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidapi.mode;

import io.hdfsraid.raidapi.ChangeRequest;

/**
 * Requests that policies raid nothing, or that they raid again. Raiding again also ends a
 * withdrawal.
 *
 * @param paused absent means true
 * @param dryRun only show what would happen; absent means true
 */
public record PauseRequest(Boolean paused, Boolean dryRun) implements ChangeRequest {
  public PauseRequest {
    paused = paused == null || paused;
    dryRun = dryRun == null || dryRun;
  }
}
