// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.traffic;

import java.time.Duration;

/**
 * The limits on how hard the daemon works. All of them can be changed while it works.
 *
 * @param urgentRepair for stripes that tolerate no further loss, besides what other repairs may use
 * @param checksumsPerSecond {@link #UNLIMITED} or how many replicas' checksums a scrub asks
 *     DataNodes for
 * @param streamsPerDataNode how many streams of one DataNode may carry bytes at the same time, all
 *     purposes together; others are open and wait
 * @param nameNodeCallsPerSecond {@link #UNLIMITED} or how many calls of the NameNode there may be
 * @param hedgeAfter how long a row of a repair waits for a slow DataNode before it is read around;
 *     zero for as long as it takes
 * @param containers of the cluster that work
 */
public record Tuning(
    Share raiding,
    Share repair,
    Share urgentRepair,
    Share moves,
    Share scrub,
    long checksumsPerSecond,
    int streamsPerDataNode,
    long nameNodeCallsPerSecond,
    Duration hedgeAfter,
    Containers containers) {
  public static final long UNLIMITED = 0;

  /**
   * What one purpose may use.
   *
   * @param workers files raided, stripes repaired, units moved, parity files scrubbed at the same
   *     time
   * @param bytesPerSecond read and written, all workers together; {@link #UNLIMITED} for no bound
   * @param bytesPerSecondPerDataNode read from and written to any one node; {@link #UNLIMITED} for
   *     no bound
   */
  public record Share(int workers, long bytesPerSecond, long bytesPerSecondPerDataNode) {
    public Share {
      if (workers < 1 || bytesPerSecond < 0 || bytesPerSecondPerDataNode < 0) {
        throw new IllegalArgumentException(
            "Work needs 1 or more workers and rates of 0 (no limit) or more, but got %d workers, %d and %d bytes/s"
                .formatted(workers, bytesPerSecond, bytesPerSecondPerDataNode));
      }
    }

    /** So many percent of it, and one worker at least. */
    Share at(int percent) {
      return new Share(
          Math.max(1, workers * percent / 100),
          bytesPerSecond == UNLIMITED ? UNLIMITED : Math.max(1, bytesPerSecond * percent / 100),
          bytesPerSecondPerDataNode == UNLIMITED
              ? UNLIMITED
              : Math.max(1, bytesPerSecondPerDataNode * percent / 100));
    }

    /** As many workers, however fast. */
    public static Share of(int workers) {
      return new Share(workers, UNLIMITED, UNLIMITED);
    }
  }

  /**
   * The containers of the cluster that work.
   *
   * @param encode whether files are encoded there, and not by this process
   * @param repair which stripes are repaired there
   * @param bulkFrom number of stripes that wait, at which it is bulk work
   * @param bytesPerSecond read and written by all of them together; {@link #UNLIMITED} for no bound
   */
  public record Containers(boolean encode, Repairs repair, int bulkFrom, long bytesPerSecond) {
    /** This process does all the work. */
    public static final Containers NONE = new Containers(false, Repairs.NONE, 1, UNLIMITED);
  }

  /** Which stripes containers repair. Those at risk are always repaired by this process. */
  public enum Repairs {
    NONE,
    /** All, as long as many stripes wait. */
    IN_BULK,
    ALL
  }

  public Tuning {
    if (hedgeAfter.isNegative()) {
      throw new IllegalArgumentException(
          "A row waits for no less than 0 s (for ever), but got " + hedgeAfter);
    }
    if (streamsPerDataNode < 1 || nameNodeCallsPerSecond < 0 || checksumsPerSecond < 0) {
      throw new IllegalArgumentException(
          "There must be 1 or more streams for each DataNode and 0 (no limit) or more calls/s and checksums/s, but got %d, %d and %d"
              .formatted(streamsPerDataNode, nameNodeCallsPerSecond, checksumsPerSecond));
    }
  }

  /** So many workers, and no other bound; as many scrub as repair. */
  public static Tuning workers(int raiding, int repair, int moves) {
    return new Tuning(
        Share.of(raiding),
        Share.of(repair),
        Share.of(repair),
        Share.of(moves),
        Share.of(repair),
        UNLIMITED,
        Integer.MAX_VALUE,
        UNLIMITED,
        Duration.ZERO,
        Containers.NONE);
  }

  /** The same, with containers that do this. */
  public Tuning in(Containers which) {
    return new Tuning(
        raiding,
        repair,
        urgentRepair,
        moves,
        scrub,
        checksumsPerSecond,
        streamsPerDataNode,
        nameNodeCallsPerSecond,
        hedgeAfter,
        which);
  }

  /** The same, but raiding with so many percent of its share. */
  public Tuning raidingAt(int percent) {
    return new Tuning(
        raiding.at(percent),
        repair,
        urgentRepair,
        moves,
        scrub,
        checksumsPerSecond,
        streamsPerDataNode,
        nameNodeCallsPerSecond,
        hedgeAfter,
        containers);
  }

  public Share share(Purpose purpose) {
    return switch (purpose) {
      case RAIDING -> raiding;
      case REPAIR -> repair;
      case URGENT_REPAIR -> urgentRepair;
      case MOVES -> moves;
      case SCRUB -> scrub;
    };
  }
}
