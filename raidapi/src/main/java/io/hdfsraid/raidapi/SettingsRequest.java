package io.hdfsraid.raidapi;

import java.util.Map;

/**
 * Change settings of the running daemon, all of these or none.
 *
 * @param values by key, as in {@code raidnode.yml}
 * @param dryRun only say what would happen; absent means true
 */
public record SettingsRequest(Map<String, String> values, Boolean dryRun) {
  public SettingsRequest {
    values = Absent.toEmpty(values);
    dryRun = dryRun == null || dryRun;
  }
}
