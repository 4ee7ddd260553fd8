// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidapi.repairs;

import io.hdfsraid.raidapi.Absent;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The progress and the cost of repairs.
 *
 * @param stripesPerMinute average of the last ten minutes
 * @param bytesPerSecond bytes read for repairs, average of the last ten minutes
 * @param estimatedEnd when everything that runs or waits for its turn is repaired at this rate;
 *     empty if there is nothing of that or nothing was repaired recently
 * @param costs costs since the daemon started, by number of losses in the stripe
 * @param storm why all repairs pause except those of stripes that tolerate no further loss; empty
 *     if they do not pause
 */
public record RepairProgress(
    double stripesPerMinute,
    long bytesPerSecond,
    Optional<Instant> estimatedEnd,
    List<Cost> costs,
    Optional<RepairStorm> storm) {

  /** Nothing has been repaired, and repairs do not pause. */
  public static final RepairProgress NONE =
      new RepairProgress(0, 0, Optional.empty(), List.of(), Optional.empty());

  /**
   * The cost of repairing stripes with this number of losses.
   *
   * @param bytesRead bytes read from DataNodes for all these stripes together
   */
  public record Cost(int losses, long stripes, long bytesRead) {
    /** Returns the average of bytes read for one stripe. */
    public double mean() {
      return stripes == 0 ? 0 : (double) bytesRead / stripes;
    }
  }

  public RepairProgress {
    estimatedEnd = Absent.toEmpty(estimatedEnd);
    costs = Absent.toEmpty(costs);
    storm = Absent.toEmpty(storm);
  }

  /** Returns the average of bytes read for one stripe over all repairs. */
  public double meanBytesRead() {
    long stripes = costs.stream().mapToLong(Cost::stripes).sum();
    long bytes = costs.stream().mapToLong(Cost::bytesRead).sum();
    return stripes == 0 ? 0 : (double) bytes / stripes;
  }
}
