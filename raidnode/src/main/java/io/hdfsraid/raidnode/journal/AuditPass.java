// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.journal;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The progress of an audit of all stripes. It is stored, so that a later run continues it.
 *
 * @param began when the audit began at the first file
 * @param ended when it ended; empty until then
 * @param after inode id of the last file that was checked
 * @param files files checked so far
 * @param all number of files at the beginning
 * @param stripes number of stripes checked
 * @param sharing stripes of which units still share a node
 * @param crowding stripes of which units still crowd a rack
 * @param stuck stripes with a wrong placement that could not be mended
 * @param moved number of units moved
 * @param failed files that could not be checked
 * @param worked time worked, without the pauses between runs
 */
public record AuditPass(
    Instant began,
    Optional<Instant> ended,
    long after,
    long files,
    long all,
    long stripes,
    long sharing,
    long crowding,
    long stuck,
    long moved,
    long failed,
    Duration worked) {

  public static AuditPass begin(Instant now, long all) {
    return new AuditPass(now, Optional.empty(), -1, 0, all, 0, 0, 0, 0, 0, 0, Duration.ZERO);
  }

  public AuditPass end(Instant now) {
    return new AuditPass(
        began,
        Optional.of(now),
        after,
        files,
        all,
        stripes,
        sharing,
        crowding,
        stuck,
        moved,
        failed,
        worked);
  }

  /** Files a second; 0 when that cannot be told yet. */
  public double rate() {
    return worked.isZero() ? 0 : files / (worked.toMillis() / 1e3);
  }

  /**
   * When it will have ended, at the speed it had so far; empty when it has, or nothing is known.
   */
  public Optional<Instant> estimatedEnd(Instant now) {
    return ended.isPresent() || rate() == 0
        ? Optional.empty()
        : Optional.of(now.plusMillis((long) (1e3 * Math.max(0, all - files) / rate())));
  }
}
