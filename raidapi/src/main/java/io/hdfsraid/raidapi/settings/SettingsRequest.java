// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidapi.settings;

import io.hdfsraid.raidapi.Absent;
import io.hdfsraid.raidapi.ChangeRequest;
import java.util.Map;

/**
 * Requests to change settings of the running daemon, either all of these or none.
 *
 * @param values values by key, as in {@code raidnode.yml}
 * @param dryRun only show what would happen; absent means true
 */
public record SettingsRequest(Map<String, String> values, Boolean dryRun) implements ChangeRequest {
  public SettingsRequest {
    values = Absent.toEmpty(values);
    dryRun = dryRun == null || dryRun;
  }
}
