// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidapi.placement;

import io.hdfsraid.raidapi.Absent;
import java.time.Instant;
import java.util.Optional;

/**
 * The progress of the placement audit that is running, or the result of the last one.
 *
 * @param began when it looked at the first file
 * @param ended empty while it is running
 * @param files number of files it has looked at
 * @param allFiles number of files to look at
 * @param filesPerSecond average rate so far
 * @param estimatedEnd expected end at this rate; empty if the audit has ended
 * @param sharingNode stripes with two units on one node after the moves
 * @param crowdingRack stripes with too many units in a rack after the moves
 * @param stuck stripes with a fault that no move could mend
 * @param movedUnits number of units that were moved
 * @param failedFiles number of files that could not be audited
 */
public record AuditProgress(
    Instant began,
    Optional<Instant> ended,
    long files,
    long allFiles,
    double filesPerSecond,
    Optional<Instant> estimatedEnd,
    long stripes,
    long sharingNode,
    long crowdingRack,
    long stuck,
    long movedUnits,
    long failedFiles) {
  public AuditProgress {
    ended = Absent.toEmpty(ended);
    estimatedEnd = Absent.toEmpty(estimatedEnd);
  }
}
