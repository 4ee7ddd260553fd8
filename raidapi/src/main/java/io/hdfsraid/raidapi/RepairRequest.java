package io.hdfsraid.raidapi;

/**
 * Look for losses in this file, or in all files below this directory, and repair them now.
 *
 * @param dryRun only say what would happen; absent means true
 */
public record RepairRequest(String path, Boolean dryRun) {
  public RepairRequest {
    path = Requests.absolute(path);
    dryRun = dryRun == null || dryRun;
  }
}
