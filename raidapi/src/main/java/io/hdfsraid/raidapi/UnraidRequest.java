package io.hdfsraid.raidapi;

/**
 * Restore the replicas of this file, or of all files below this directory, then drop the parity.
 *
 * @param dryRun only say what would happen; absent means true
 */
public record UnraidRequest(String path, Boolean dryRun) {
  public UnraidRequest {
    path = Requests.absolute(path);
    dryRun = dryRun == null || dryRun;
  }
}
