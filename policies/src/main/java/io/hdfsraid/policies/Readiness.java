// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.policies;

import io.hdfsraid.policies.Condition.Accesses;
import io.hdfsraid.policies.Condition.Bound;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * The conditions under which a file of a policy is ready to be raided. A file that is not ready is
 * skipped, and no later policy is asked.
 *
 * @param coldAfter time without any access after which a file counts as cold; zero raids files in
 *     use and needs no record of accesses
 * @param minAge time since the last change of the content
 * @param minSize the least length in bytes
 * @param accesses the most accesses within a time
 * @param raidSnapshotted whether files that a snapshot holds are raided, too; their space is freed
 *     when the snapshot is deleted
 */
public record Readiness(
    Duration coldAfter,
    Duration minAge,
    long minSize,
    Optional<Accesses> accesses,
    boolean raidSnapshotted) {
  public static final Duration DEFAULT_MIN_AGE = Duration.ofDays(1);

  /** Any file, at once. */
  public static final Readiness ALWAYS =
      new Readiness(Duration.ZERO, Duration.ZERO, 0, Optional.empty(), false);

  public Readiness {
    Objects.requireNonNull(accesses, "accesses");
    if (coldAfter.isNegative() || minAge.isNegative() || minSize < 0) {
      throw new IllegalArgumentException(
          "Conditions must not be negative, but they are coldAfter=%s, minAge=%s, minSize=%d"
              .formatted(coldAfter, minAge, minSize));
    }
    if (accesses.isPresent() && accesses.get().bound() != Bound.AT_MOST) {
      throw new IllegalArgumentException("A file is not ready for being used often");
    }
  }
}
