// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.raiding.core;

import io.hdfsraid.drfs.block.DataNode;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * The replicas above the replication of reduced files that the NameNode has not dropped yet. It
 * drops none while it has had no full block report of a DataNode with a replica of the block since
 * it became active: a replica may be one whose deletion the NameNode before it has ordered.
 *
 * @param since when they were seen first
 * @param units the units that have such replicas
 * @param bytes what they occupy
 * @param awaitReports whether the NameNode waits for full block reports
 * @param nodes the DataNodes with replicas of these units: some of them, if there are many
 */
public record ExcessReplicas(
    Instant since, long units, long bytes, boolean awaitReports, Set<DataNode> nodes) {
  /** The most nodes of one file or group. */
  public static final int MOST_NODES = 100;

  public ExcessReplicas {
    Objects.requireNonNull(since, "since");
    nodes = Set.copyOf(nodes);
  }

  /** Returns these replicas as seen first when others were, unless the clock was set back since. */
  ExcessReplicas notBefore(ExcessReplicas others) {
    Instant first = others.since.isBefore(since) ? others.since : since;
    return new ExcessReplicas(first, units, bytes, awaitReports, nodes);
  }

  /** Returns all these together; empty if there are none. */
  static Optional<ExcessReplicas> sum(Collection<ExcessReplicas> all) {
    Set<DataNode> nodes = new HashSet<>();
    Optional<Instant> first = Optional.empty();
    long units = 0;
    long bytes = 0;
    boolean awaitReports = false;
    for (ExcessReplicas each : all) {
      first = first.filter(each.since::isAfter).or(() -> Optional.of(each.since));
      units += each.units;
      bytes += each.bytes;
      awaitReports |= each.awaitReports;
      nodes.addAll(each.nodes);
    }
    return first.isEmpty()
        ? Optional.empty()
        : Optional.of(new ExcessReplicas(first.get(), units, bytes, awaitReports, nodes));
  }
}
