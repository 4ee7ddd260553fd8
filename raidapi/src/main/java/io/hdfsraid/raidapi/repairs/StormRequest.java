package io.hdfsraid.raidapi.repairs;

/**
 * Requests that all repairs go on although much has failed at once.
 *
 * @param dryRun only show what would happen; absent means true
 */
public record StormRequest(Boolean dryRun) {
  public StormRequest {
    dryRun = dryRun == null || dryRun;
  }
}
