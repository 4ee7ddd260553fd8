package io.hdfsraid.raidapi;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The health of all raided files below a path.
 *
 * @param checked when the NameNode was asked
 * @param summary of all files below the path, not only of those listed here
 * @param byHealth the same, by state and by what can be borne, worst first, with samples
 * @param files the ones that are not healthy, worst first; when one file was asked for, that file
 * @param next cursor of the following files
 * @param note what was not looked at, and why; may be empty
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
   * Files and stripes that are equally well.
   *
   * @param canBear how many further losses; -1 for those unrecoverable or unknown
   * @param files whose worst stripe is so
   * @param stripes that are so, each once, whatever files share it
   * @param samples paths of some of the files; none of healthy ones
   */
  public record Health(
      HealthState state, int canBear, long files, long stripes, List<String> samples) {
    public Health {
      samples = Absent.toEmpty(samples);
    }
  }

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
    byHealth = Absent.toEmpty(byHealth);
    files = Absent.toEmpty(files);
    next = Absent.toEmpty(next);
    note = Absent.toEmpty(note);
  }

  /** The same, with what is to be known of how it came about. */
  public FsckReport with(String changed) {
    return new FsckReport(path, checked, summary, byHealth, files, next, changed);
  }
}
