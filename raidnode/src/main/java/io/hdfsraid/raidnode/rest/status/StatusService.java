// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest.status;

import io.hdfsraid.drfs.block.Distance;
import io.hdfsraid.raidapi.nodes.NodesReport.State;
import io.hdfsraid.raidapi.status.Containers;
import io.hdfsraid.raidapi.status.Status;
import io.hdfsraid.raidnode.containers.JobDispatcher;
import io.hdfsraid.raidnode.health.DataNodesWatch;
import io.hdfsraid.raidnode.rest.repairs.RepairWork;
import io.hdfsraid.raidnode.rest.scrub.ScrubSummary;
import io.hdfsraid.raidnode.schedule.JobReport;
import io.hdfsraid.recency.source.SourceState;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Reports the state of the daemon at a glance. */
public final class StatusService {
  private static final double PERCENT = 100;

  private final Identity identity;
  private final OwnerSummary owner;
  private final CatalogSummary summary;
  private final Work work;
  private final Supplier<List<SourceState>> sources;
  private final DaemonProblems problems;
  private final Clock clock;

  /**
   * The facts that do not change while the daemon runs.
   *
   * @param nameservice the URI of the HDFS
   * @param nameNodes host and port of each NameNode of the nameservice
   */
  public record Identity(
      String version,
      String clusterId,
      String nameservice,
      List<String> nameNodes,
      Instant startedAt) {}

  /**
   * The work that the daemon is doing, and what it works on.
   *
   * @param nameNodeCalls counts the calls of the NameNode
   * @param containers submit the jobs of YARN; none if the daemon does all by itself
   * @param jobs looks up the jobs
   */
  public record Work(
      IntegritySummary checks,
      RepairWork repairs,
      ScrubSummary scrubs,
      TransferSummary transfers,
      LongSupplier nameNodeCalls,
      List<JobDispatcher> containers,
      DataNodesWatch dataNodes,
      Supplier<List<JobReport>> jobs) {}

  public StatusService(
      Identity identity,
      OwnerSummary owner,
      CatalogSummary summary,
      Work work,
      Supplier<List<SourceState>> sources,
      DaemonProblems problems,
      Clock clock) {
    this.identity = identity;
    this.owner = owner;
    this.summary = summary;
    this.work = work;
    this.sources = sources;
    this.problems = problems;
    this.clock = clock;
  }

  public Status status() {
    Instant now = clock.instant();
    return new Status(
        identity.version(),
        identity.clusterId(),
        identity.nameservice(),
        identity.nameNodes(),
        owner.owner(),
        identity.startedAt(),
        now,
        summary.files(),
        summary.skipped(),
        summary.space(),
        summary.repairs(),
        work.repairs().progress(),
        summary.lastScan(),
        work.checks().lastCheck(),
        work.checks().lastFullCheck(now),
        summary.placementAudit(now),
        work.scrubs().all(now),
        AccessSources.of(sources.get()),
        Optional.of(summary.reheatCost()),
        work.transfers().all(),
        work.nameNodeCalls().getAsLong(),
        containers(),
        work.dataNodes().sums().map(StatusService::view),
        work.jobs().get().stream().map(StatusService::view).toList(),
        problems.all(now));
  }

  private Optional<Containers> containers() {
    if (work.containers().stream().noneMatch(JobDispatcher::inUse)) {
      return Optional.empty();
    }
    Optional<JobDispatcher.Refusal> refusal =
        work.containers().stream().flatMap(each -> each.refusal().stream()).findFirst();
    return Optional.of(
        new Containers(
            work.containers().stream()
                .flatMap(each -> each.jobs().stream())
                .map(StatusService::view)
                .toList(),
            refusal.map(JobDispatcher.Refusal::why),
            refusal.map(JobDispatcher.Refusal::until)));
  }

  private static Containers.Job view(JobDispatcher.JobReport job) {
    return new Containers.Job(
        job.application(),
        job.trackingUrl(),
        job.submitted(),
        job.kind().toString(),
        job.status().stage().name().toLowerCase(Locale.ROOT),
        PERCENT * job.status().progress(),
        job.works(),
        job.stripes(),
        job.answered(),
        job.status().diagnostics(),
        job.read().getOrDefault(Distance.SAME_NODE, 0L),
        job.read().getOrDefault(Distance.SAME_RACK, 0L),
        job.read().getOrDefault(Distance.OFF_RACK, 0L)
            + job.read().getOrDefault(Distance.RACK_UNKNOWN, 0L));
  }

  private static Status.Hdfs view(DataNodesWatch.Sums sums) {
    return new Status.Hdfs(
        sums.checked(),
        sums.nodes().getOrDefault(State.LIVE, 0L),
        sums.nodes().getOrDefault(State.SILENT, 0L),
        sums.nodes().getOrDefault(State.OUT_OF_SERVICE, 0L),
        sums.nodes().getOrDefault(State.DEAD, 0L),
        sums.used(),
        sums.remaining());
  }

  private static Status.JobTimes view(JobReport job) {
    return new Status.JobTimes(job.name(), job.running(), job.lastStart(), job.nextRun());
  }
}
