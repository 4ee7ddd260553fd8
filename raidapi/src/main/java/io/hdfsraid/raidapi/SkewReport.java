package io.hdfsraid.raidapi;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * How evenly bytes are spread over the live DataNodes: all that HDFS stores, not only raided files.
 *
 * @param parityCountedAt when the parity of all nodes was last counted, by the audit of all
 *     placements; empty when it never was, and what is called data may then be parity
 * @param data the fullest node's bytes of data in terms of the average node's; 1 is even
 * @param total the same for data and parity together
 * @param nodes all of them, the one with most bytes first
 */
public record SkewReport(
    Instant checked,
    Optional<Instant> parityCountedAt,
    double data,
    double total,
    List<NodeBytes> nodes) {

  /**
   * What one DataNode holds.
   *
   * @param dataBytes replicas of anything but parity, checksums included
   * @param parityBytes of raided files
   * @param capacity used and free together
   */
  public record NodeBytes(
      String node,
      String rack,
      boolean inService,
      long dataBytes,
      long parityBytes,
      long capacity) {}

  public SkewReport {
    parityCountedAt = Absent.toEmpty(parityCountedAt);
    nodes = Absent.toEmpty(nodes);
  }
}
