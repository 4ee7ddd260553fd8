package io.hdfsraid.raidnode.journal;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The progress of an audit of all stripes. It is stored, so that a later run continues it.
 *
 * @param began when it began at the first file
 * @param ended empty while there is more to do
 * @param after the last file looked at, by inode id
 * @param files looked at so far
 * @param all files there were when it began
 * @param stripes looked at
 * @param sharing of which units still share a node
 * @param crowding of which units still crowd a rack
 * @param stuck of which something is wrong that could not be moved
 * @param moved units
 * @param failed files that could not be looked at
 * @param worked how long it has worked, pauses between runs not counted
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
