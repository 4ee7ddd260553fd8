// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidapi.tasks;

import io.hdfsraid.raidapi.ChangeRequest;

/**
 * Requests to cancel a task.
 *
 * @param dryRun only show what would happen; absent means true
 */
public record CancelTaskRequest(Boolean dryRun) implements ChangeRequest {
  public CancelTaskRequest {
    dryRun = dryRun == null || dryRun;
  }
}
