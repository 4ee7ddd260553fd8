package io.hdfsraid.policies;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Which files, when, and what for: one entry of {@code policies.yml}.
 *
 * <p>The paths decide <em>whether</em> this policy is the one that speaks about a file; all else
 * decides <em>what</em> it says. So a file that is too warm for the first policy with its path is
 * left, even when a later policy would take it.
 *
 * @param excludes paths this policy does not speak about, so that a later one may
 * @param coldAfter time without any access after which a file counts as cold; zero raids files in
 *     use and needs no record of accesses
 * @param minAge time since the last change of the content
 * @param minSize in bytes
 * @param schedule Quartz cron expression of the runs; empty: each run of the daemon's own scan
 * @param raidSnapshotted takes files that a snapshot holds, too: what they save is freed when the
 *     snapshot goes
 */
public record Policy(
    String name,
    List<PathGlob> paths,
    List<PathGlob> excludes,
    Duration coldAfter,
    Duration minAge,
    long minSize,
    Protection protection,
    Optional<String> schedule,
    boolean raidSnapshotted) {
  public static final Duration DEFAULT_MIN_AGE = Duration.ofDays(1);

  public Policy {
    if (name.isBlank()) {
      throw new IllegalArgumentException("A policy needs a name");
    }
    paths = List.copyOf(paths);
    excludes = List.copyOf(excludes);
    if (paths.isEmpty()) {
      throw new IllegalArgumentException("Policy " + name + " has no paths");
    }
    if (coldAfter.isNegative() || minAge.isNegative() || minSize < 0) {
      throw new IllegalArgumentException(
          "Policy %s must not have negative conditions, but has coldAfter=%s, minAge=%s, minSize=%d"
              .formatted(name, coldAfter, minAge, minSize));
    }
    Objects.requireNonNull(protection, "protection");
    Objects.requireNonNull(schedule, "schedule");
  }

  /** A policy that leaves what snapshots hold. */
  public Policy(
      String name,
      List<PathGlob> paths,
      List<PathGlob> excludes,
      Duration coldAfter,
      Duration minAge,
      long minSize,
      Protection protection,
      Optional<String> schedule) {
    this(name, paths, excludes, coldAfter, minAge, minSize, protection, schedule, false);
  }

  /** A policy for what an operator asks for by hand: this path now, however warm or young. */
  public static Policy onRequest(String path, Protection protection) {
    return new Policy(
        "on request",
        List.of(PathGlob.exactly(path)),
        List.of(),
        Duration.ZERO,
        Duration.ZERO,
        0,
        protection,
        Optional.empty());
  }

  /** The first of the given patterns that the path matches. */
  static Optional<PathGlob> firstMatch(List<PathGlob> patterns, String path) {
    return patterns.stream().filter(pattern -> pattern.matches(path)).findFirst();
  }
}
