// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidapi.placement;

import io.hdfsraid.raidapi.Absent;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * How evenly bytes are spread over the live DataNodes. Counts everything that HDFS stores, not only
 * raided files.
 *
 * @param parityCountedAt when the placement audit last counted the parity of all nodes; empty if it
 *     never did, and parity then counts as data
 * @param data bytes of data on the fullest node divided by the average; 1 is even
 * @param total the same quotient for data and parity together
 * @param nodes all nodes, the one with most bytes first
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
   * @param dataBytes bytes of all replicas except parity, checksums included
   * @param parityBytes bytes of parity
   * @param capacity used and free bytes together
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
