// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.job;

import io.hdfsraid.blockfixer.plan.NodeCost;
import io.hdfsraid.blockfixer.plan.RepairPlanner;
import io.hdfsraid.blockfixer.plan.TargetSelector;
import io.hdfsraid.blockfixer.repair.LocalRepairEngine;
import io.hdfsraid.blockfixer.repair.Polling;
import io.hdfsraid.blockfixer.repair.RebuildOrder;
import io.hdfsraid.blockfixer.repair.RepairEngine;
import io.hdfsraid.blockfixer.repair.RepairLimits;
import io.hdfsraid.blockfixer.repair.StallLimit;
import io.hdfsraid.blockfixer.repair.StripeRepairer;
import io.hdfsraid.drfs.block.DataNodes;
import io.hdfsraid.drfs.stripe.HedgePolicy;
import io.hdfsraid.drfs.stripe.RowMemory;
import io.hdfsraid.drfs.stripe.StripeRebuilder;
import io.hdfsraid.erasurecode.UnitSet;
import io.hdfsraid.raidnode.catalog.RepairLedger;
import io.hdfsraid.raidnode.catalog.RepairState;
import io.hdfsraid.raidnode.catalog.RepairStatus;
import io.hdfsraid.raidnode.catalog.StripeKey;
import io.hdfsraid.raidnode.containers.ContainerJobs;
import io.hdfsraid.raidnode.containers.JobDispatcher;
import io.hdfsraid.raidnode.containers.Turns;
import io.hdfsraid.raidnode.raiding.core.ClusterAccess;
import io.hdfsraid.raidnode.repair.BulkRepairs;
import io.hdfsraid.raidnode.repair.ContainerRepairEngine;
import io.hdfsraid.raidnode.repair.CrowdedUnits;
import io.hdfsraid.raidnode.repair.LimitedRepairEngine;
import io.hdfsraid.raidnode.repair.RepairJob;
import io.hdfsraid.raidnode.repair.RepairResults;
import io.hdfsraid.raidnode.repair.SlowHelpers;
import io.hdfsraid.raidnode.repair.StormBreaker;
import io.hdfsraid.raidnode.repair.StripeRepairTask;
import io.hdfsraid.raidnode.repair.TransientLosses;
import io.hdfsraid.raidnode.traffic.Purpose;
import io.hdfsraid.raidnode.traffic.Traffic;
import io.hdfsraid.raidnode.traffic.Tuning;
import io.hdfsraid.raidnode.worker.ThreadPools;
import io.hdfsraid.raidnode.worker.Workers;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * The job that repairs stripes.
 *
 * @param storms pauses repairs when many nodes fail at once
 * @param bulk tells whether containers should repair
 * @param containers submits and follows the jobs that repair; empty if the daemon repairs
 */
public record RepairWiring(
    StormBreaker storms, RepairJob job, BulkRepairs bulk, Optional<JobDispatcher> containers) {
  /**
   * The time for DataNodes to tell the NameNode which replicas have vanished. They do so with a
   * heartbeat at the latest, except those of HDFS 3.3.
   */
  private static final Polling NOTICE =
      Polling.withBackoff(Duration.ofMillis(10), Duration.ofSeconds(5), Duration.ofMillis(500));

  /**
   * @param helpers which of equally long units repairs should read, given the traffic
   */
  static RepairWiring of(
      SharedParts shared,
      UpkeepWiring upkeep,
      DetectionWiring detection,
      Function<Traffic, NodeCost> helpers) {
    JobSettings settings = shared.settings();
    ClusterAccess access = shared.cluster().access();
    TuningControl tuning = shared.tuning();
    ThreadPools pools = tuning.pools();
    Optional<ContainerJobs> jobs = shared.cluster().containers(ContainerJobs.Kind.REPAIR);
    Optional<JobDispatcher> containers =
        jobs.map(
            its ->
                new JobDispatcher(
                    its,
                    () -> tuning.now().containers().repair() != Tuning.Repairs.NONE,
                    tuning::repairsInContainers,
                    shared.containerBounds(),
                    shared.listeners().events(),
                    shared.clock()));
    AtomicInteger waiting = new AtomicInteger();
    RepairPlanner planner =
        new RepairPlanner(
            access.namespace(),
            new TargetSelector(new Random(shared.clock().millis())),
            helpers.apply(shared.tuning().traffic()));
    // Each lane has threads and memory of its own. No repair waits for what is being raided, and no
    // repair of a stripe at risk waits for one that is throttled. Few stripes are at risk, so half
    // of the memory is enough for them.
    StripeRepairer usual =
        repairer(
            shared,
            detection.stalls(),
            planner,
            new Lane(
                Purpose.REPAIR,
                pools.addForIo("raid-repair-io", RepairWiring::workers),
                new RowMemory(settings.rowMemory()),
                local ->
                    containers
                        .<RepairEngine>map(
                            its ->
                                new ContainerRepairEngine(
                                    its,
                                    new LimitedRepairEngine(
                                        local, new Turns(() -> workers(tuning.now()))),
                                    order -> lost(shared.catalog().repairs(), order),
                                    waiting))
                        .orElse(local)));
    StripeRepairer urgent =
        repairer(
            shared,
            detection.stalls(),
            planner,
            new Lane(
                Purpose.URGENT_REPAIR,
                pools.addForIo("raid-urgent-io", RepairWiring::workers),
                new RowMemory(settings.rowMemory() / 2),
                // Far more threads wait for containers than there are workers, and each may meet a
                // stripe at risk.
                local ->
                    new LimitedRepairEngine(local, new Turns(() -> 2 * workers(tuning.now())))));
    CrowdedUnits crowded =
        new CrowdedUnits(
            id -> upkeep.reconciler().reconcile(id, "repair"), shared.listeners().trouble());
    RepairResults results =
        new RepairResults(
            shared.catalog().repairs(),
            settings.repair(),
            crowded,
            detection.faults()::remember,
            upkeep.reconciler()::parityIsWrong,
            shared.journal(),
            shared.listeners().events(),
            shared.clock());
    TransientLosses transients =
        new TransientLosses(
            shared.catalog().repairs(),
            access.parity(),
            access.namespace(),
            settings.repair().delay(),
            shared.clock());
    StripeRepairTask repair =
        new StripeRepairTask(
            shared.catalog().repairs(),
            access.parity(),
            new StripeRepairTask.Tools(detection.check(), planner, usual, urgent),
            transients,
            results);
    StormBreaker storms =
        new StormBreaker(
            access.namespace(),
            shared.catalog(),
            settings.storm(),
            shared.journal(),
            shared.listeners().events(),
            shared.clock());
    return new RepairWiring(
        storms,
        new RepairJob(
            shared.catalog(),
            access.parity(),
            access.namespace(),
            new RepairJob.Parts(repair, results, transients, crowded),
            new RepairJob.Lanes(
                new Workers(
                    pools.add("raid-repair", now -> workers(now) + mostWaiting(jobs)),
                    () -> workers(tuning.now()) + Math.min(waiting.get(), mostWaiting(jobs))),
                new Workers(pools.add("raid-urgent", RepairWiring::workers))),
            storms,
            shared.clock()),
        new BulkRepairs(
            () ->
                shared.catalog().repairs().count(RepairStatus.WAITING)
                    + shared.catalog().repairs().count(RepairStatus.RUNNING),
            () -> tuning.now().containers().bulkFrom(),
            tuning::repairInBulk),
        containers);
  }

  /**
   * Repairs that share a budget of bytes.
   *
   * @param io runs their reads and writes
   * @param rows bounds the memory of their rows
   * @param engine returns what they rebuild with, given what rebuilds in this process
   */
  private record Lane(
      Purpose purpose, ExecutorService io, RowMemory rows, UnaryOperator<RepairEngine> engine) {}

  private static StripeRepairer repairer(
      SharedParts shared, StallLimit stalls, RepairPlanner planner, Lane lane) {
    ClusterAccess access = shared.cluster().access();
    TuningControl tuning = shared.tuning();
    Traffic traffic = tuning.traffic();
    HedgePolicy hedge =
        new SlowHelpers(stalls, () -> tuning.now().hedgeAfter(), shared.listeners().events());
    DataNodes dataNodes = traffic.reads(lane.purpose(), stalls.reads(access.dataNodes()));
    return new StripeRepairer(
        lane.engine()
            .apply(
                new LocalRepairEngine(
                    new StripeRebuilder(
                        dataNodes, lane.io(), traffic.preference(), lane.rows(), hedge),
                    traffic.deliveries(
                        lane.purpose(), stalls.deliveries(shared.cluster().delivery())))),
        planner,
        dataNodes,
        shared.cluster().badReplicas(),
        access.fence(),
        shared.claims(),
        new RepairLimits(shared.settings().repairAttempts(), shared.settings().polling(), NOTICE),
        shared.listeners().steps());
  }

  private static int workers(Tuning tuning) {
    return tuning.repair().workers();
  }

  /** Returns how many stripes may wait for containers, which takes no work. */
  private static int mostWaiting(Optional<ContainerJobs> jobs) {
    return jobs.map(its -> its.limits().atOnce()).orElse(0);
  }

  /** Returns what is known to be lost of the stripe of an order. */
  private static UnitSet lost(RepairLedger ledger, RebuildOrder order) {
    return ledger
        .find(new StripeKey(order.stripe().parityInode(), order.stripe().index()))
        .map(RepairState::lost)
        .orElse(UnitSet.none());
  }
}
