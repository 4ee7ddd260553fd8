package io.hdfsraid.raidapi;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The health of all raided files below a path.
 *
 * @param checked when the NameNode was asked
 * @param summary of all files below the path, not only of those listed here
 * @param files the ones that are not healthy, worst first; when one file was asked for, that file
 * @param next cursor of the following files
 */
public record FsckReport(
    String path, Instant checked, Summary summary, List<FileHealth> files, Optional<String> next) {

  /** Files by state, and what cannot be rebuilt. */
  public record Summary(
      long healthy, long degraded, long unrecoverable, long unknown, long unreadableBytes) {
    public long files() {
      return healthy + degraded + unrecoverable + unknown;
    }

    /** The one that decides what to do: unrecoverable before unknown before degraded. */
    public HealthState worst() {
      if (unrecoverable > 0) {
        return HealthState.UNRECOVERABLE;
      }
      if (unknown > 0) {
        return HealthState.UNKNOWN;
      }
      return degraded > 0 ? HealthState.DEGRADED : HealthState.HEALTHY;
    }
  }

  public FsckReport {
    files = Absent.toEmpty(files);
    next = Absent.toEmpty(next);
  }
}
