// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest.status;

import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.raidapi.status.Problem;
import io.hdfsraid.raidnode.config.BlockReportRule;
import io.hdfsraid.raidnode.raiding.core.AwaitedReports;
import io.hdfsraid.raidnode.raiding.core.ExcessReplicas;
import io.hdfsraid.raidnode.raiding.core.UnauditedStripes;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Collectors;

/** Reports excess replicas that the NameNode does not drop, for which raiding waits. */
public final class ExcessProblems {
  /** HDFS usually drops them within seconds, and many within minutes. */
  private static final Duration USUAL = Duration.ofMinutes(10);

  private static final int MOST_NAMED = 10;
  private static final double GIGABYTE = 1e9;

  private final UnauditedStripes unaudited;
  private final BlockReportRule rule;

  /**
   * Creates the problems of excess replicas.
   *
   * @param unaudited the stripes that wait until their excess replicas are gone
   * @param rule what the daemon may do about them
   */
  public ExcessProblems(UnauditedStripes unaudited, BlockReportRule rule) {
    this.unaudited = unaudited;
    this.rule = rule;
  }

  Optional<Problem> problem(Instant now) {
    return unaudited
        .excess()
        .filter(excess -> !excess.since().plus(USUAL).isAfter(now))
        .map(
            excess ->
                new Problem(
                    "EXCESS_REPLICAS",
                    "HDFS has not dropped the excess replicas of %d units of raided files since %s, so %.1f GB are not freed yet%s%s"
                        .formatted(
                            excess.units(),
                            excess.since(),
                            excess.bytes() / GIGABYTE,
                            excess.awaitReports() ? AwaitedReports.WHY : "",
                            unaudited.hasRoom()
                                ? ""
                                : ". Nothing is raided meanwhile, because raiding.maxUnaudited stripes wait"),
                    hint(excess)));
  }

  private String hint(ExcessReplicas excess) {
    if (!excess.awaitReports()) {
      return "The NameNode deletes replicas slowly: look at PendingDeletionBlocks in its metrics.";
    }
    return switch (rule) {
      case PACED -> "The daemon asks these DataNodes for block reports, one every 5 seconds.";
      case NEVER -> "DataNodes report every 6 hours (dfs.blockreport.intervalMsec).";
      case ASK ->
          "Set placement.triggerBlockReports to paced, wait for the reports (every 6 hours), or run"
              + " 'hdfs dfsadmin -triggerBlockReport HOST:IPC_PORT' for %s."
                  .formatted(named(excess));
    };
  }

  private static String named(ExcessReplicas excess) {
    String names =
        excess.nodes().stream()
            .map(DataNode::host)
            .distinct()
            .sorted()
            .limit(MOST_NAMED)
            .collect(Collectors.joining(", "));
    return excess.nodes().size() > MOST_NAMED ? names + " and others" : names;
  }
}
