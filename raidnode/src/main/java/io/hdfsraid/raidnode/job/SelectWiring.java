// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.job;

import io.hdfsraid.policies.Judge;
import io.hdfsraid.policies.Policies;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.containers.ContainerJobs;
import io.hdfsraid.raidnode.mode.WorkingHours;
import io.hdfsraid.raidnode.raiding.Pipelines;
import io.hdfsraid.raidnode.raiding.core.Cluster;
import io.hdfsraid.raidnode.reheat.RaidedReads;
import io.hdfsraid.raidnode.scrub.FirstReads;
import io.hdfsraid.raidnode.select.ActingPolicies;
import io.hdfsraid.raidnode.select.AuditRoom;
import io.hdfsraid.raidnode.select.CandidateRaider;
import io.hdfsraid.raidnode.select.CapacityGates;
import io.hdfsraid.raidnode.select.CodecEstimate;
import io.hdfsraid.raidnode.select.EvaluationJob;
import io.hdfsraid.raidnode.select.JournaledRaider;
import io.hdfsraid.raidnode.select.PoliciesInForce;
import io.hdfsraid.raidnode.select.PreRaidCheck;
import io.hdfsraid.raidnode.select.RaidJob;
import io.hdfsraid.raidnode.select.RaidPlanner;
import io.hdfsraid.raidnode.select.ReheatJob;
import io.hdfsraid.raidnode.select.Reheater;
import io.hdfsraid.raidnode.select.RememberedGates;
import io.hdfsraid.raidnode.traffic.Tuning;
import io.hdfsraid.raidnode.worker.Workers;
import io.hdfsraid.recency.Recency;
import java.time.Clock;

/**
 * The jobs that decide which files are raided and which are unraided.
 *
 * @param acting the policies in force, which can be replaced, and when they may act
 * @param recency what is known about when files are used
 * @param capacity which policies would make room now
 * @param raider raids the files that operators name
 */
public record SelectWiring(
    ActingPolicies acting,
    Recency recency,
    CapacityGates capacity,
    EvaluationJob evaluation,
    RaidJob raid,
    JournaledRaider raider,
    ReheatJob reheat) {

  static SelectWiring of(
      SharedParts shared, Policies first, Pipelines pipelines, UpkeepWiring upkeep) {
    Cluster cluster = shared.cluster();
    Catalog catalog = shared.catalog();
    Clock clock = shared.clock();
    PoliciesInForce policies =
        new PoliciesInForce(
            first, held -> new Judge(held, shared.settings().root(), new CodecEstimate(), clock));
    Recency recency =
        new Recency(
            catalog.namespace(),
            catalog.notes(),
            new RaidedReads(catalog, cluster.readLocality(), clock)::count,
            cluster.sources(),
            shared.settings().recency(),
            clock);
    RememberedGates gates =
        new RememberedGates(catalog, cluster.spaces(), shared.listeners().trouble());
    ActingPolicies acting =
        new ActingPolicies(
            policies,
            upkeep.mode(),
            new WorkingHours(catalog.notes(), clock),
            gates,
            new FirstReads(catalog.scrubs(), shared.settings().scrub()),
            clock);
    JournaledRaider raider =
        new JournaledRaider(
            pipelines.raider(),
            pipelines.groupRaider(),
            policies,
            upkeep.reconciler(),
            shared.journal(),
            shared.listeners().events());
    RaidJob raid =
        new RaidJob(
            new RaidPlanner(catalog, recency, policies, clock),
            acting,
            new CandidateRaider(
                new PreRaidCheck(
                    cluster.listing(),
                    catalog,
                    policies,
                    recency,
                    shared.journal(),
                    cluster.marks()),
                raider),
            new AuditRoom(pipelines.unaudited(), upkeep.reconciler()),
            shared.tuning()::raidAt,
            new Workers(
                shared.tuning().pools().add("raid-work", tuning -> filesAtOnce(tuning, cluster))));
    Reheater reheater =
        new Reheater(
            catalog, upkeep.reconciler(), shared.journal(), shared.listeners().events(), clock);
    return new SelectWiring(
        acting,
        recency,
        gates,
        new EvaluationJob(recency, catalog, policies, shared.settings().raidRetryAfter(), clock),
        raid,
        raider,
        new ReheatJob(catalog, recency, acting, reheater, clock));
  }

  /** Returns the policies that hold now; they can be replaced. */
  public PoliciesInForce policies() {
    return acting.inForce();
  }

  /** Returns when policies may act. */
  public WorkingHours hours() {
    return acting.hours();
  }

  /** Returns how many files are raided at once: those that wait for containers take no work. */
  private static int filesAtOnce(Tuning tuning, Cluster cluster) {
    int workers = tuning.raiding().workers();
    return cluster
        .containers(ContainerJobs.Kind.ENCODE)
        .filter(jobs -> tuning.containers().encode())
        .map(jobs -> Math.max(workers, jobs.limits().atOnce()))
        .orElse(workers);
  }
}
