// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.scrub;

import java.time.Duration;

/** Sums up what the threads of a scrub do. Safe for concurrent use. */
final class ScrubTally {
  private Exception lastFailure;
  private long files;
  private long stripes;
  private long bytes;
  private long bad;
  private long gaps;

  synchronized void failed(Exception failure) {
    lastFailure = failure;
  }

  /** Null if none failed. */
  synchronized Exception lastFailure() {
    return lastFailure;
  }

  synchronized void add(ScrubReport report) {
    stripes += report.stripes();
    bytes += report.bytes();
    bad += report.badReplicas();
  }

  /**
   * Counts a parity file that was scrubbed to its end.
   *
   * @param withGaps some node did not answer
   */
  synchronized void finished(boolean withGaps) {
    files++;
    gaps += withGaps ? 1 : 0;
  }

  synchronized long files() {
    return files;
  }

  /**
   * Returns a pass with this work added.
   *
   * @param failed the number of parity files that could not be scrubbed
   */
  synchronized ScrubPass addTo(ScrubPass pass, long failed, Duration took) {
    return new ScrubPass(
        pass.began(),
        pass.ended(),
        pass.files() + files,
        Math.max(pass.allFiles(), pass.files() + files),
        pass.stripes() + stripes,
        pass.bytes() + bytes,
        Math.max(pass.allBytes(), pass.bytes() + bytes),
        pass.bad() + bad,
        pass.gaps() + gaps,
        pass.failed() + failed,
        pass.worked().plus(took));
  }
}
