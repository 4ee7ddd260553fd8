// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.job;

import io.hdfsraid.blockfixer.plan.NodeCost;
import io.hdfsraid.blockfixer.repair.StripeClaims;
import io.hdfsraid.policies.Policies;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.containers.ContainerBounds;
import io.hdfsraid.raidnode.containers.JobDispatcher;
import io.hdfsraid.raidnode.journal.Journal;
import io.hdfsraid.raidnode.raiding.core.Cluster;
import io.hdfsraid.raidnode.traffic.Traffic;
import io.hdfsraid.raidnode.worker.Workers;
import java.time.Clock;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The jobs of one daemon, wired feature by feature to one cluster and one catalog. No job runs
 * until its {@code run} method is called. Closing interrupts the jobs that run: each pipeline can
 * be cut off anywhere.
 */
public record JobWiring(
    TuningControl tuning,
    RaidingWiring raiding,
    UpkeepWiring upkeep,
    DetectionWiring detection,
    RepairWiring repair,
    ScrubWiring scrub,
    SelectWiring select)
    implements AutoCloseable {

  /** Wires the jobs of a daemon. */
  public static JobWiring of(
      Cluster cluster,
      Catalog catalog,
      Policies policies,
      JobSettings settings,
      JobListeners listeners,
      Clock clock) {
    return of(cluster, catalog, policies, settings, listeners, clock, Traffic::nodeCost);
  }

  /**
   * Wires the jobs of a daemon that has its own preference among the helpers of a repair.
   *
   * @param helpers tells, given the traffic, which of equally long units repairs should read
   */
  public static JobWiring of(
      Cluster cluster,
      Catalog catalog,
      Policies policies,
      JobSettings settings,
      JobListeners listeners,
      Clock clock,
      Function<Traffic, NodeCost> helpers) {
    TuningControl tuning =
        new TuningControl(
            settings.tuning(), settings.readerLocation(), listeners.events(), cluster.calls());
    return of(
        new SharedParts(
            cluster,
            catalog,
            settings,
            tuning,
            new StripeClaims(),
            new ContainerBounds(
                () -> tuning.now().containers().bytesPerSecond(),
                () -> tuning.now().streamsPerDataNode()),
            new Journal(catalog, clock, listeners.events(), listeners.trouble()),
            listeners,
            clock),
        policies,
        helpers);
  }

  private static JobWiring of(
      SharedParts shared, Policies policies, Function<Traffic, NodeCost> helpers) {
    Workers checking = DetectionWiring.checking(shared.tuning().pools());
    RaidingWiring raiding = RaidingWiring.of(shared);
    UpkeepWiring upkeep = UpkeepWiring.of(shared, raiding, checking);
    DetectionWiring detection = DetectionWiring.of(shared, upkeep, checking);
    return new JobWiring(
        shared.tuning(),
        raiding,
        upkeep,
        detection,
        RepairWiring.of(shared, upkeep, detection, helpers),
        ScrubWiring.of(shared, upkeep, detection),
        SelectWiring.of(shared, policies, raiding.pipelines(), upkeep));
  }

  /** Returns what submits jobs to YARN; none if the daemon does all work by itself. */
  public List<JobDispatcher> containers() {
    return Stream.concat(raiding.containers().stream(), repair.containers().stream()).toList();
  }

  @Override
  public void close() {
    containers().forEach(JobDispatcher::stop);
    detection.stalls().close();
    tuning.close();
  }
}
