// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.raiding;

import io.hdfsraid.blockfixer.placement.ParityNodes;
import io.hdfsraid.blockfixer.placement.PlacementAudit;
import io.hdfsraid.blockfixer.placement.UnitMover;
import io.hdfsraid.drfs.step.StepListener;
import io.hdfsraid.drfs.stripe.RowMemory;
import io.hdfsraid.drfs.stripe.StripeEncoder;
import io.hdfsraid.drfs.stripe.StripeLocator;
import io.hdfsraid.erasurecode.ErasureCodec;
import io.hdfsraid.raidnode.raiding.core.AwaitedReports;
import io.hdfsraid.raidnode.raiding.core.ClusterAccess;
import io.hdfsraid.raidnode.raiding.core.FilesInWork;
import io.hdfsraid.raidnode.raiding.core.FullReads;
import io.hdfsraid.raidnode.raiding.core.LostForGood;
import io.hdfsraid.raidnode.raiding.core.Memberships;
import io.hdfsraid.raidnode.raiding.core.Reductions;
import io.hdfsraid.raidnode.raiding.core.UnauditedStripes;
import io.hdfsraid.raidnode.raiding.core.UnitMoves;
import io.hdfsraid.raidnode.raiding.core.WorkInProgress;
import io.hdfsraid.raidnode.raiding.engine.Engine;
import io.hdfsraid.raidnode.raiding.engine.LocalEngine;
import io.hdfsraid.raidnode.raiding.file.Abandonment;
import io.hdfsraid.raidnode.raiding.file.Auditor;
import io.hdfsraid.raidnode.raiding.file.FileReconciler;
import io.hdfsraid.raidnode.raiding.file.Janitor;
import io.hdfsraid.raidnode.raiding.file.ParityBuilder;
import io.hdfsraid.raidnode.raiding.file.ParityProver;
import io.hdfsraid.raidnode.raiding.file.ParitySeparation;
import io.hdfsraid.raidnode.raiding.file.Quarantine;
import io.hdfsraid.raidnode.raiding.file.Raider;
import io.hdfsraid.raidnode.raiding.file.Unraider;
import io.hdfsraid.raidnode.raiding.group.GroupEncoder;
import io.hdfsraid.raidnode.raiding.group.GroupRaider;
import io.hdfsraid.raidnode.raiding.group.GroupReconciler;
import io.hdfsraid.raidnode.traffic.Purpose;
import io.hdfsraid.raidnode.traffic.Traffic;
import java.time.Clock;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * The pipelines of one daemon. They share the claims on files and the count of unaudited stripes.
 */
public record Pipelines(
    Raider raider,
    Unraider unraider,
    FileReconciler fileReconciler,
    GroupRaider groupRaider,
    GroupReconciler groupReconciler,
    Quarantine quarantine,
    Janitor janitor,
    Abandonment abandonment,
    UnauditedStripes unaudited,
    AwaitedReports reports) {

  /** What bounds them. */
  public record Limits(int maxUnauditedStripes, Duration quarantine) {}

  /**
   * What places units on nodes and moves them.
   *
   * @param moves runs moves, which wait for slots
   */
  public record Placement(
      PlacementAudit audit, ParityNodes parityNodes, UnitMover mover, ExecutorService moves) {}

  /**
   * What encodes stripes.
   *
   * @param codecs by the name that a policy gives them and that is recorded with their stripes
   * @param traffic carries the source blocks that are read and the parity that is written
   * @param rows memory for all stripes that are encoded at once
   * @param io runs reads and questions to DataNodes; tasks in it never wait for one another
   * @param engine makes of the engine of this process the one that encodes
   */
  public record Encoding(
      Function<String, ErasureCodec> codecs,
      Traffic traffic,
      RowMemory rows,
      ExecutorService io,
      UnaryOperator<Engine> engine) {}

  /**
   * The parts that write down what the pipelines do.
   *
   * @param memberships which file is in which group, as far as is remembered
   * @param fullReads receives the replicas that were read
   * @param reductions receives the files whose replication is about to be lowered
   */
  public record Notebook(Memberships memberships, FullReads fullReads, Reductions reductions) {}

  /** Wires the pipelines of a cluster. */
  public static Pipelines of(
      ClusterAccess cluster,
      Placement placement,
      Encoding encoding,
      Notebook notebook,
      Limits limits,
      Clock clock,
      StepListener steps) {
    Function<String, ErasureCodec> codecs = encoding.codecs();
    Memberships memberships = notebook.memberships();
    StripeLocator locator = new StripeLocator(codecs);
    UnauditedStripes unaudited = new UnauditedStripes(limits.maxUnauditedStripes());
    FilesInWork inWork = new FilesInWork();
    AwaitedReports reports = new AwaitedReports(unaudited, clock);
    WorkInProgress work =
        new WorkInProgress(inWork, unaudited, reports, notebook.reductions(), steps);
    Engine local = local(cluster, encoding);
    ParityBuilder builder = builder(cluster, encoding.engine().apply(local), placement, notebook);
    // Regrouping is part of jobs that others wait for, so it does not wait for containers.
    ParityBuilder localBuilder = builder(cluster, local, placement, notebook);
    ParityProver prover = new ParityProver(cluster.dataNodes(), locator, encoding.io());
    UnitMoves moving = new UnitMoves(cluster.namespace(), placement.mover(), placement.moves());
    ParitySeparation separation = new ParitySeparation(cluster, locator, placement.audit(), moving);
    Raider raider = new Raider(cluster, codecs, builder, prover, separation, memberships, work);
    LostForGood lost = new LostForGood(cluster, locator, encoding.io());
    Quarantine quarantine =
        new Quarantine(cluster, lost, memberships, limits.quarantine(), inWork, steps);
    Unraider unraider = new Unraider(cluster, lost, work);
    Auditor auditor =
        new Auditor(cluster, locator, placement.audit(), moving, unaudited, clock, steps);
    Random random = new Random(clock.millis());
    GroupEncoder groupEncoder =
        new GroupEncoder(cluster, codecs, builder, prover, separation, memberships, random, steps);
    GroupEncoder regrouping =
        new GroupEncoder(
            cluster, codecs, localBuilder, prover, separation, memberships, random, steps);
    GroupRaider groupRaider =
        new GroupRaider(cluster, codecs, groupEncoder, prover, separation, memberships, work);
    return new Pipelines(
        raider,
        unraider,
        new FileReconciler(cluster, raider, auditor, unraider, memberships, unaudited, inWork),
        groupRaider,
        new GroupReconciler(
            cluster, codecs, groupRaider, regrouping, auditor, lost, memberships, work),
        quarantine,
        new Janitor(cluster, quarantine, clock),
        new Abandonment(cluster, lost, memberships, inWork, clock),
        unaudited,
        reports);
  }

  private static ParityBuilder builder(
      ClusterAccess cluster, Engine engine, Placement placement, Notebook notebook) {
    return new ParityBuilder(cluster, engine, placement.parityNodes(), notebook.fullReads());
  }

  private static Engine local(ClusterAccess cluster, Encoding encoding) {
    Traffic traffic = encoding.traffic();
    StripeEncoder encoder =
        new StripeEncoder(
            traffic.reads(Purpose.RAIDING, cluster.dataNodes()),
            encoding.io(),
            traffic.preference(),
            encoding.rows());
    return new LocalEngine(encoder, traffic);
  }
}
