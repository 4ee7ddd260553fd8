package io.hdfsraid.raidapi;

import java.util.Optional;

/**
 * Raid this file, or all files below this directory, now.
 *
 * @param dryRun only say what would happen; absent means true
 * @param codec instead of the one of the policy that speaks about each file
 * @param targetReplication instead of the policy's
 */
public record RaidRequest(
    String path, Boolean dryRun, Optional<String> codec, Optional<Integer> targetReplication) {
  public RaidRequest {
    path = Requests.absolute(path);
    dryRun = dryRun == null || dryRun;
    codec = Absent.toEmpty(codec);
    targetReplication = Absent.toEmpty(targetReplication);
  }
}
