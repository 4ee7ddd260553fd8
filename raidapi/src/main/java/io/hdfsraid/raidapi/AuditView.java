package io.hdfsraid.raidapi;

import java.time.Instant;
import java.util.Optional;

/**
 * How far the audit of all placements has come, or how the last one ended.
 *
 * @param began when it was at the first file
 * @param ended empty while there is more to do
 * @param files looked at
 * @param allFiles how many there are to look at
 * @param filesPerSecond at which it has gone on so far
 * @param estimatedEnd at that speed; empty when it has ended
 * @param sharingNode of the stripes looked at, those with two units on one node after the moves
 * @param crowdingRack likewise with too many in a rack
 * @param stuck likewise with something wrong that could not be moved
 * @param movedUnits how many were moved
 * @param failedFiles how many could not be looked at
 */
public record AuditView(
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
  public AuditView {
    ended = Absent.toEmpty(ended);
    estimatedEnd = Absent.toEmpty(estimatedEnd);
  }
}
