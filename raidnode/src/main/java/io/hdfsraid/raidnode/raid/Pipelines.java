package io.hdfsraid.raidnode.raid;

import io.hdfsraid.blockfixer.placement.ParityNodes;
import io.hdfsraid.blockfixer.placement.PlacementAudit;
import io.hdfsraid.blockfixer.placement.UnitMover;
import io.hdfsraid.drfs.step.StepListener;
import io.hdfsraid.drfs.stripe.RowMemory;
import io.hdfsraid.drfs.stripe.StripeEncoder;
import io.hdfsraid.drfs.stripe.StripeLocator;
import io.hdfsraid.erasurecode.Codecs;
import io.hdfsraid.erasurecode.ErasureCodec;
import io.hdfsraid.raidnode.traffic.Purpose;
import io.hdfsraid.raidnode.traffic.Traffic;
import java.time.Clock;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.function.Function;

/** The pipelines of one daemon, wired: they share who works on what and what is unaudited. */
public record Pipelines(
    Raider raider,
    Unraider unraider,
    Guardian guardian,
    GroupRaider groupRaider,
    GroupKeeper groupKeeper,
    Quarantine quarantine,
    Janitor janitor,
    UnauditedStripes unaudited) {

  /** What bounds them. */
  public record Limits(int maxUnauditedStripes, Duration quarantine) {}

  /**
   * Wires the pipelines of a cluster.
   *
   * @param io runs reads and questions to DataNodes; tasks in it never wait for one another
   * @param moves runs moves, which wait for slots
   * @param traffic what source blocks are read and parity is written through
   * @param rows memory for all stripes that are encoded at once
   * @param memberships which file is in which group, as far as is remembered
   */
  public static Pipelines of(
      ClusterAccess cluster,
      PlacementAudit placement,
      ParityNodes parityNodes,
      UnitMover mover,
      ExecutorService io,
      ExecutorService moves,
      Traffic traffic,
      RowMemory rows,
      Memberships memberships,
      Limits limits,
      Clock clock,
      StepListener steps) {
    return of(
        cluster,
        Codecs::parse,
        placement,
        parityNodes,
        mover,
        io,
        moves,
        traffic,
        rows,
        memberships,
        limits,
        clock,
        steps);
  }

  /**
   * The same with other codecs than those of the library.
   *
   * @param codecs by the name that a policy gives them, and that is recorded with their stripes
   */
  public static Pipelines of(
      ClusterAccess cluster,
      Function<String, ErasureCodec> codecs,
      PlacementAudit placement,
      ParityNodes parityNodes,
      UnitMover mover,
      ExecutorService io,
      ExecutorService moves,
      Traffic traffic,
      RowMemory rows,
      Memberships memberships,
      Limits limits,
      Clock clock,
      StepListener steps) {
    StripeLocator locator = new StripeLocator(codecs);
    UnauditedStripes unaudited = new UnauditedStripes(limits.maxUnauditedStripes());
    FilesInWork inWork = new FilesInWork();
    ParityBuilder builder =
        new ParityBuilder(
            cluster,
            new StripeEncoder(
                traffic.reads(Purpose.RAIDING, cluster.dataNodes()),
                io,
                traffic.preference(),
                rows),
            parityNodes,
            traffic);
    ParityProver prover = new ParityProver(cluster.dataNodes(), locator, io);
    Moving moving = new Moving(cluster.namespace(), mover, moves);
    ParityParting parting = new ParityParting(cluster, locator, placement, moving);
    Raider raider =
        new Raider(
            cluster, codecs, builder, prover, parting, memberships, unaudited, inWork, steps);
    Quarantine quarantine =
        new Quarantine(cluster, memberships, limits.quarantine(), inWork, steps);
    Unraider unraider = new Unraider(cluster, unaudited, inWork, steps);
    Auditor auditor = new Auditor(cluster, locator, placement, moving, unaudited, steps);
    GroupEncoder groupEncoder =
        new GroupEncoder(cluster, codecs, builder, prover, memberships, steps);
    GroupRaider groupRaider =
        new GroupRaider(
            cluster,
            codecs,
            groupEncoder,
            prover,
            parting,
            memberships,
            unaudited,
            inWork,
            new Random(clock.millis()),
            steps);
    return new Pipelines(
        raider,
        unraider,
        new Guardian(cluster, raider, auditor, unraider, unaudited, inWork),
        groupRaider,
        new GroupKeeper(
            cluster,
            codecs,
            locator,
            groupRaider,
            groupEncoder,
            auditor,
            memberships,
            unaudited,
            inWork,
            steps),
        quarantine,
        new Janitor(cluster, quarantine, clock),
        unaudited);
  }
}
