package io.hdfsraid.raidapi;

import java.time.Instant;
import java.util.Optional;

/**
 * How far the scrub of all stripes at one depth has come, or how the last one ended.
 *
 * @param depth {@code presence}: DataNodes are asked for checksums; {@code deep}: replicas are read
 * @param began when the first of what was due was looked at; empty when nothing ever was
 * @param ended empty while there is more to do
 * @param files parity files looked at to their end
 * @param allFiles how many were due when it began
 * @param stripes looked at
 * @param bytes read
 * @param allBytes of what was due when it began, as far as known
 * @param stripesPerSecond at which it has gone on so far
 * @param bytesPerSecond likewise
 * @param estimatedEnd at that speed; empty when it has ended
 * @param badReplicas that were found
 * @param unanswered parity files of which some node did not answer
 * @param failed parity files that could not be looked at
 * @param oldest when the stripe was looked at, or raided, that has waited longest; empty when there
 *     is no parity
 * @param neverSince since when parity has waited that was never looked at; empty when all was
 */
public record ScrubView(
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
  public ScrubView {
    began = Absent.toEmpty(began);
    ended = Absent.toEmpty(ended);
    estimatedEnd = Absent.toEmpty(estimatedEnd);
    oldest = Absent.toEmpty(oldest);
    neverSince = Absent.toEmpty(neverSince);
  }
}
