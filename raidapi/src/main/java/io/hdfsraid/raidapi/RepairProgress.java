package io.hdfsraid.raidapi;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * How repairs go.
 *
 * @param stripesPerMinute over the last ten minutes
 * @param bytesPerSecond read for it, likewise
 * @param estimatedEnd when all that waits, runs or is postponed is repaired at this rate; empty
 *     when nothing is to be repaired, or nothing was of late
 * @param costs since the daemon started, by number of losses in the stripe
 * @param storm why all repairs pause but those of stripes that bear no further loss; empty when
 *     they do not
 */
public record RepairProgress(
    double stripesPerMinute,
    long bytesPerSecond,
    Optional<Instant> estimatedEnd,
    List<Cost> costs,
    Optional<StormView> storm) {

  /** Nothing has been repaired, and nothing keeps from it. */
  public static final RepairProgress NONE =
      new RepairProgress(0, 0, Optional.empty(), List.of(), Optional.empty());

  /**
   * What the repairs of stripes with so many losses cost.
   *
   * @param bytesRead from DataNodes, all these stripes together
   */
  public record Cost(int losses, long stripes, long bytesRead) {
    /** Bytes read for one stripe, on average. */
    public double mean() {
      return stripes == 0 ? 0 : (double) bytesRead / stripes;
    }
  }

  public RepairProgress {
    estimatedEnd = Absent.toEmpty(estimatedEnd);
    costs = Absent.toEmpty(costs);
    storm = Absent.toEmpty(storm);
  }

  /** Bytes read for one stripe, on average over all repairs, whatever they had lost. */
  public double meanBytesRead() {
    long stripes = costs.stream().mapToLong(Cost::stripes).sum();
    long bytes = costs.stream().mapToLong(Cost::bytesRead).sum();
    return stripes == 0 ? 0 : (double) bytes / stripes;
  }
}
