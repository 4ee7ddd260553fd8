package io.hdfsraid.raidnode.job;

import io.hdfsraid.policies.Judge;
import io.hdfsraid.policies.Policies;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.mode.WorkingHours;
import io.hdfsraid.raidnode.raiding.Pipelines;
import io.hdfsraid.raidnode.raiding.core.Cluster;
import io.hdfsraid.raidnode.reheat.RaidedReads;
import io.hdfsraid.raidnode.select.CapacityGates;
import io.hdfsraid.raidnode.select.CodecEstimate;
import io.hdfsraid.raidnode.select.EvaluationJob;
import io.hdfsraid.raidnode.select.PoliciesInForce;
import io.hdfsraid.raidnode.select.RaidJob;
import io.hdfsraid.raidnode.select.RaidPlanner;
import io.hdfsraid.raidnode.select.ReheatJob;
import io.hdfsraid.raidnode.select.RememberedGates;
import io.hdfsraid.raidnode.worker.Workers;
import io.hdfsraid.recency.Recency;
import java.time.Clock;

/**
 * The jobs that decide which files are raided and which are released.
 *
 * @param policies the policies that hold now; they can be replaced
 * @param recency what is known about when files are used
 * @param hours when policies may act
 * @param capacity which policies would make room now
 */
public record SelectWiring(
    PoliciesInForce policies,
    Recency recency,
    WorkingHours hours,
    CapacityGates capacity,
    EvaluationJob evaluation,
    RaidJob raid,
    ReheatJob reheat) {

  static SelectWiring of(
      SharedParts shared, Policies first, Pipelines pipelines, UpkeepWiring upkeep) {
    Cluster cluster = shared.cluster();
    Catalog catalog = shared.catalog();
    JobSettings settings = shared.settings();
    Clock clock = shared.clock();
    PoliciesInForce policies =
        new PoliciesInForce(
            first, held -> new Judge(held, settings.root(), new CodecEstimate(), clock));
    Recency recency =
        new Recency(
            catalog.namespace(),
            catalog.notes(),
            new RaidedReads(catalog, cluster.readLocality(), clock)::count,
            cluster.sources(),
            settings.recency(),
            clock);
    WorkingHours hours = new WorkingHours(catalog.notes(), clock);
    RememberedGates gates = new RememberedGates(catalog, cluster.spaces());
    RaidJob raid =
        new RaidJob(
            cluster.listing(),
            catalog,
            policies,
            new RaidPlanner(catalog, recency, policies, clock),
            recency,
            upkeep.mode(),
            hours,
            gates,
            shared.tuning()::raidAt,
            pipelines.raider(),
            pipelines.groupRaider(),
            pipelines.unaudited(),
            upkeep.reconciler(),
            new Workers(
                shared.tuning().pools().add("raid-work", tuning -> tuning.raiding().workers())),
            shared.journal(),
            shared.events(),
            clock);
    return new SelectWiring(
        policies,
        recency,
        hours,
        gates,
        new EvaluationJob(recency, catalog, policies, clock),
        raid,
        new ReheatJob(
            catalog,
            recency,
            policies,
            hours,
            upkeep.mode(),
            upkeep.reconciler(),
            shared.journal(),
            shared.events(),
            clock));
  }
}
