// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.upkeep;

import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.raidnode.raiding.core.AwaitedReports;
import io.hdfsraid.raidnode.raiding.core.BlockReports;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Requests block reports of the DataNodes for which the NameNode waits before it drops excess
 * replicas, or counts those of a file that is let go: one DataNode in each run. None is asked twice
 * within an hour, unless it could not be asked, or another NameNode is active since, or all that
 * was waited for then is gone: a further failover needs a further report. The first run after a
 * failover waits for two minutes, in which DataNodes with few replicas report by themselves.
 */
public final class BlockReportJob {
  private static final Logger LOG = LoggerFactory.getLogger(BlockReportJob.class);
  private static final Duration GRACE = Duration.ofMinutes(2);
  private static final Duration NOT_AGAIN_WITHIN = Duration.ofHours(1);
  private static final Duration RETRY_AFTER = Duration.ofMinutes(1);

  private final Supplier<Optional<AwaitedReports.Wait>> awaited;
  private final BlockReports reports;
  private final Clock clock;
  private final Map<DataNode, Attempt> attempts = new HashMap<>();

  /** The NameNode that was active in the last run; empty before the first. */
  private String active = "";

  private Instant activeSince = Instant.MIN;

  /**
   * The last request to a DataNode.
   *
   * @param until when it may be asked again
   */
  private record Attempt(Instant at, Instant until) {}

  /**
   * Creates the job.
   *
   * @param awaited looks up for whose reports something waits
   */
  public BlockReportJob(
      Supplier<Optional<AwaitedReports.Wait>> awaited, BlockReports reports, Clock clock) {
    this.awaited = awaited;
    this.reports = reports;
    this.clock = clock;
  }

  /** Requests the report of one DataNode, if one is due. */
  public synchronized void run() {
    Instant now = clock.instant();
    // A clock that was set back must not hold the requests up for long.
    attempts
        .values()
        .removeIf(last -> last.at().isAfter(now) || !last.at().plus(NOT_AGAIN_WITHIN).isAfter(now));
    Optional<AwaitedReports.Wait> found = awaited.get();
    if (found.isEmpty() || !knowsActive(now)) {
      return;
    }
    Instant since =
        activeSince.isAfter(now) || found.get().since().isAfter(activeSince)
            ? found.get().since()
            : activeSince;
    if (!since.plus(GRACE).isAfter(now)) {
      next(found.get(), now).ifPresent(node -> request(node, now));
    }
  }

  /** Finds out which NameNode is active, and forgets what was reported to another one. */
  private boolean knowsActive(Instant now) {
    try {
      String found = reports.activeNameNode();
      if (!found.equals(active)) {
        activeSince = active.isEmpty() ? Instant.MIN : now;
        active = found;
        attempts.clear();
      }
      return true;
    } catch (IOException e) {
      LOG.debug("It is not known which NameNode is active", e);
      return false;
    }
  }

  /** Returns the DataNode that was asked longest ago: those that do not answer hold up no other. */
  private Optional<DataNode> next(AwaitedReports.Wait found, Instant now) {
    return found.nodes().stream()
        .filter(node -> mayBeAsked(attempts.get(node), found.since(), now))
        .min(
            Comparator.comparing(
                node -> attempts.containsKey(node) ? attempts.get(node).at() : Instant.MIN));
  }

  private static boolean mayBeAsked(Attempt last, Instant since, Instant now) {
    return last == null || last.at().isBefore(since) || !last.until().isAfter(now);
  }

  private void request(DataNode node, Instant now) {
    attempts.put(node, new Attempt(now, now.plus(RETRY_AFTER)));
    try {
      reports.request(node);
      attempts.put(node, new Attempt(now, now.plus(NOT_AGAIN_WITHIN)));
      LOG.info(
          "Asked {} for a full block report: before it, the NameNode does not say which replicas of its blocks will stay",
          node);
    } catch (IOException e) {
      LOG.warn("{} could not be asked for a full block report: {}", node, e.getMessage());
    }
  }
}
