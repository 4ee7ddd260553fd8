// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.scrub;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The progress of a scrub through all parity files that were due.
 *
 * @param began when the pass began
 * @param ended when the pass ended; empty while there is more to do
 * @param files parity files that were scrubbed to their end
 * @param allFiles parity files that were due when the pass began
 * @param stripes stripes that were scrubbed
 * @param bytes bytes that were read
 * @param allBytes bytes of the parity files that were due when the pass began, as far as known
 * @param bad replicas that were found bad
 * @param gaps parity files of which some node did not answer; they are scrubbed again
 * @param failed parity files that could not be scrubbed
 * @param worked the time that the pass has worked, without the pauses between runs
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

  /** Returns a pass that has found nothing to do. */
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

  /** Returns the bytes a second; 0 if the pass reads none, or if the rate is not known yet. */
  public double bytesPerSecond() {
    return perSecond(bytes);
  }

  /** Returns the stripes a second; 0 if the rate is not known yet. */
  public double stripesPerSecond() {
    return perSecond(stripes);
  }

  private double perSecond(long amount) {
    return worked.isZero() ? 0 : amount / (worked.toMillis() / 1e3);
  }

  /**
   * Returns when the pass will end at its speed so far, by bytes if it reads any; empty if the pass
   * has ended, or if its speed is not known yet.
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
