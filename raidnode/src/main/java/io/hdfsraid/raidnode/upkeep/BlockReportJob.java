// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.upkeep;

import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.raidnode.raiding.core.BlockReports;
import io.hdfsraid.raidnode.raiding.core.ExcessReplicas;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Requests block reports of the DataNodes for which the NameNode waits before it drops excess
 * replicas: one DataNode in each run, and none twice within an hour unless it could not be asked.
 * The first run after a failover waits for two minutes, in which DataNodes with few replicas report
 * by themselves.
 */
public final class BlockReportJob {
  private static final Logger LOG = LoggerFactory.getLogger(BlockReportJob.class);
  private static final Duration GRACE = Duration.ofMinutes(2);
  private static final Duration NOT_AGAIN_WITHIN = Duration.ofHours(1);
  private static final Duration RETRY_AFTER = Duration.ofMinutes(1);

  private final Supplier<Optional<ExcessReplicas>> excess;
  private final BlockReports reports;
  private final Clock clock;

  /** Until when DataNodes are left alone. */
  private final Map<DataNode, Instant> pausing = new HashMap<>();

  /**
   * Creates the job.
   *
   * @param excess looks up the excess replicas that audits have seen
   */
  public BlockReportJob(
      Supplier<Optional<ExcessReplicas>> excess, BlockReports reports, Clock clock) {
    this.excess = excess;
    this.reports = reports;
    this.clock = clock;
  }

  /** Requests the report of one DataNode, if one is due. */
  public synchronized void run() {
    Instant now = clock.instant();
    // A clock that was set back must not hold the requests up for long.
    pausing
        .values()
        .removeIf(until -> !until.isAfter(now) || until.isAfter(now.plus(NOT_AGAIN_WITHIN)));
    excess
        .get()
        .filter(ExcessReplicas::awaitReports)
        .filter(found -> !found.since().plus(GRACE).isAfter(now))
        .flatMap(
            found -> found.nodes().stream().filter(node -> !pausing.containsKey(node)).findAny())
        .ifPresent(node -> request(node, now));
  }

  private void request(DataNode node, Instant now) {
    try {
      reports.request(node);
      pausing.put(node, now.plus(NOT_AGAIN_WITHIN));
      LOG.info(
          "Asked {} for a full block report: the NameNode drops no excess replicas of its blocks before",
          node);
    } catch (IOException e) {
      pausing.put(node, now.plus(RETRY_AFTER));
      LOG.warn("{} could not be asked for a full block report: {}", node, e.getMessage());
    }
  }
}
