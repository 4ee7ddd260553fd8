package io.hdfsraid.raidapi;

/**
 * Restore, or purge, the quarantined parity of this file, or of all files below this directory.
 *
 * @param dryRun only say what would happen; absent means true
 */
public record QuarantineRequest(String path, Boolean dryRun) {
  public QuarantineRequest {
    path = Requests.absolute(path);
    dryRun = dryRun == null || dryRun;
  }
}
