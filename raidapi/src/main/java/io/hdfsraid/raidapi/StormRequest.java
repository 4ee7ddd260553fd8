package io.hdfsraid.raidapi;

/**
 * Go on with all repairs although much has failed at once.
 *
 * @param dryRun only say what would happen; absent means true
 */
public record StormRequest(Boolean dryRun) {
  public StormRequest {
    dryRun = dryRun == null || dryRun;
  }
}
