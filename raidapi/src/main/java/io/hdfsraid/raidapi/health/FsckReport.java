// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidapi.health;

import io.hdfsraid.raidapi.Absent;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The health of all raided files below a path.
 *
 * @param checked when the NameNode was asked
 * @param summary counts over all files below the path, not only the listed ones
 * @param byHealth the same files by state and tolerated losses, worst first, with samples
 * @param files the files that are not healthy, worst first; if the path is one file, that file
 * @param next cursor of the following files
 * @param note which checks were left out, and why; may be empty
 */
public record FsckReport(
    String path,
    Instant checked,
    Summary summary,
    List<Health> byHealth,
    List<FileHealth> files,
    Optional<String> next,
    String note) {

  /**
   * Files and stripes of the same health.
   *
   * @param furtherLosses number of further losses they tolerate; -1 if unrecoverable or unknown
   * @param files number of files whose worst stripe has this health
   * @param stripes number of stripes with this health; a stripe that files share counts once
   * @param samples paths of some of the files; empty for healthy files
   */
  public record Health(
      HealthState state, int furtherLosses, long files, long stripes, List<String> samples) {
    public Health {
      samples = Absent.toEmpty(samples);
    }
  }

  /** Numbers of files by state, and the bytes that cannot be rebuilt. */
  public record Summary(
      long healthy, long degraded, long unrecoverable, long unknown, long unreadableBytes) {
    public long files() {
      return healthy + degraded + unrecoverable + unknown;
    }

    /** Returns the most severe state: unrecoverable before unknown before degraded. */
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
    byHealth = Absent.toEmpty(byHealth);
    files = Absent.toEmpty(files);
    next = Absent.toEmpty(next);
    note = Absent.toEmpty(note);
  }

  /** Returns the same report with another note. */
  public FsckReport with(String changed) {
    return new FsckReport(path, checked, summary, byHealth, files, next, changed);
  }
}
