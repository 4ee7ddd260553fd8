// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidapi.scrub;

import io.hdfsraid.raidapi.Absent;
import java.time.Instant;
import java.util.Optional;

/**
 * The progress of the scrub of all stripes at one depth, or the result of the last one.
 *
 * @param depth {@code presence}: DataNodes are asked for checksums; {@code deep}: replicas are read
 * @param began when the first due stripe was checked; empty if none ever was
 * @param ended empty while the scrub is running
 * @param files number of parity files that were checked completely
 * @param allFiles number of parity files that were due when it began
 * @param stripes number of stripes checked
 * @param bytes bytes read
 * @param allBytes bytes of what was due when it began, as far as known
 * @param stripesPerSecond average rate so far
 * @param bytesPerSecond average rate so far
 * @param estimatedEnd expected end at this rate; empty if the scrub has ended
 * @param badReplicas number of bad replicas found
 * @param unanswered number of parity files for which a node did not answer
 * @param failed number of parity files that could not be checked
 * @param oldest when the stripe that has waited longest was checked or raided; empty without parity
 * @param neverSince since when the oldest parity that was never checked has waited; empty if all
 *     was checked
 */
public record ScrubProgress(
    String depth,
    Optional<Instant> began,
    Optional<Instant> ended,
    long files,
    long allFiles,
    long stripes,
    long bytes,
    long allBytes,
    double stripesPerSecond,
    double bytesPerSecond,
    Optional<Instant> estimatedEnd,
    long badReplicas,
    long unanswered,
    long failed,
    Optional<Instant> oldest,
    Optional<Instant> neverSince) {
  public ScrubProgress {
    began = Absent.toEmpty(began);
    ended = Absent.toEmpty(ended);
    estimatedEnd = Absent.toEmpty(estimatedEnd);
    oldest = Absent.toEmpty(oldest);
    neverSince = Absent.toEmpty(neverSince);
  }
}
