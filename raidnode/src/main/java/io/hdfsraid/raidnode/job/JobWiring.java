package io.hdfsraid.raidnode.job;

import io.hdfsraid.blockfixer.plan.NodeCost;
import io.hdfsraid.blockfixer.repair.StripeClaims;
import io.hdfsraid.drfs.step.StepListener;
import io.hdfsraid.policies.Policies;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.journal.Journal;
import io.hdfsraid.raidnode.journal.RaidEvents;
import io.hdfsraid.raidnode.raiding.core.Cluster;
import io.hdfsraid.raidnode.traffic.Traffic;
import io.hdfsraid.raidnode.worker.Workers;
import java.time.Clock;
import java.util.function.Function;

/**
 * The jobs of one daemon, wired room by room to one cluster and one catalog. No job runs until its
 * {@code run} method is called. Closing interrupts the jobs that run: each pipeline can be cut off
 * anywhere.
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
      RaidEvents events,
      StepListener steps,
      Clock clock) {
    return of(cluster, catalog, policies, settings, events, steps, clock, Traffic::nodeCost);
  }

  /**
   * Wires the jobs of a daemon that chooses the helpers of a repair in a way of its own.
   *
   * @param helpers which of equally long units repairs should read, given the traffic
   */
  public static JobWiring of(
      Cluster cluster,
      Catalog catalog,
      Policies policies,
      JobSettings settings,
      RaidEvents events,
      StepListener steps,
      Clock clock,
      Function<Traffic, NodeCost> helpers) {
    TuningControl tuning =
        new TuningControl(settings.tuning(), settings.readerLocation(), events, cluster.calls());
    return of(
        new SharedParts(
            cluster,
            catalog,
            settings,
            tuning,
            new StripeClaims(),
            new Journal(catalog, clock, events),
            events,
            steps,
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

  @Override
  public void close() {
    detection.stalls().close();
    tuning.close();
  }
}
