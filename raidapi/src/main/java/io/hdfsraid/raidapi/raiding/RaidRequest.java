// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidapi.raiding;

import io.hdfsraid.raidapi.Absent;
import io.hdfsraid.raidapi.ChangeRequest;
import io.hdfsraid.raidapi.Requests;
import java.util.Optional;

/**
 * Requests to raid a file, or all files below a directory, now.
 *
 * @param dryRun only show what would happen; absent means true
 * @param codec used instead of the codec of the policy for each file
 * @param targetReplication used instead of the policy's target replication
 */
public record RaidRequest(
    String path, Boolean dryRun, Optional<String> codec, Optional<Integer> targetReplication)
    implements ChangeRequest {
  public RaidRequest {
    path = Requests.absolute(path);
    dryRun = dryRun == null || dryRun;
    codec = Absent.toEmpty(codec);
    targetReplication = Absent.toEmpty(targetReplication);
  }
}
