// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.raiding.core;

import io.hdfsraid.drfs.block.DataNode;
import java.time.Instant;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

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

  /** Returns the same replicas as they were seen first at an earlier time. */
  ExcessReplicas since(Instant first) {
    return new ExcessReplicas(first, units, bytes, awaitReports, nodes);
  }

  /** Returns these and others together. */
  ExcessReplicas plus(ExcessReplicas others) {
    return new ExcessReplicas(
        since.isBefore(others.since) ? since : others.since,
        units + others.units,
        bytes + others.bytes,
        awaitReports || others.awaitReports,
        Stream.concat(nodes.stream(), others.nodes.stream()).collect(Collectors.toSet()));
  }
}
