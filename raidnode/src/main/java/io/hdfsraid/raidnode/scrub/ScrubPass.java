package io.hdfsraid.raidnode.scrub;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The progress of a scrub through all parity files that were due.
 *
 * @param began when the first of it was looked at
 * @param ended empty while there is more to do
 * @param files parity files looked at to their end
 * @param allFiles that were due when it began
 * @param stripes looked at
 * @param bytes read
 * @param allBytes of what was due when it began, as far as known
 * @param bad replicas that were found bad
 * @param gaps parity files of which some node did not answer: they are looked at again
 * @param failed parity files that could not be looked at
 * @param worked how long it has worked, pauses between runs not counted
 */
public record ScrubPass(
    Instant began,
    Optional<Instant> ended,
    long files,
    long allFiles,
    long stripes,
    long bytes,
    long allBytes,
    long bad,
    long gaps,
    long failed,
    Duration worked) {

  public static ScrubPass begin(Instant now, long allFiles, long allBytes) {
    return new ScrubPass(
        now, Optional.empty(), 0, allFiles, 0, 0, allBytes, 0, 0, 0, Duration.ZERO);
  }

  /** One that has found nothing to do. */
  public static ScrubPass ended(Instant when) {
    return begin(when, 0, 0).end(when);
  }

  ScrubPass end(Instant now) {
    return new ScrubPass(
        began,
        Optional.of(now),
        files,
        allFiles,
        stripes,
        bytes,
        allBytes,
        bad,
        gaps,
        failed,
        worked);
  }

  /** Bytes a second; 0 where none are read, or that cannot be told yet. */
  public double bytesPerSecond() {
    return perSecond(bytes);
  }

  /** Stripes a second; 0 when that cannot be told yet. */
  public double stripesPerSecond() {
    return perSecond(stripes);
  }

  private double perSecond(long amount) {
    return worked.isZero() ? 0 : amount / (worked.toMillis() / 1e3);
  }

  /**
   * When it will have ended, at the speed it had so far, by bytes where it reads any; empty when it
   * has, or nothing is known.
   */
  public Optional<Instant> estimatedEnd(Instant now) {
    boolean byBytes = bytes > 0 && allBytes > 0;
    double rate = perSecond(byBytes ? bytes : files);
    long left = Math.max(0, byBytes ? allBytes - bytes : allFiles - files);
    return ended.isPresent() || rate == 0
        ? Optional.empty()
        : Optional.of(now.plusMillis((long) Math.min(1e3 * left / rate, Integer.MAX_VALUE * 1e3)));
  }
}
