// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.job;

import io.hdfsraid.blockfixer.placement.MoveSlots;
import io.hdfsraid.blockfixer.placement.ParityBytes;
import io.hdfsraid.blockfixer.placement.ParityNodes;
import io.hdfsraid.blockfixer.placement.PlacementAudit;
import io.hdfsraid.blockfixer.placement.RefusedMoves;
import io.hdfsraid.blockfixer.placement.UnitMover;
import io.hdfsraid.drfs.stripe.RowMemory;
import io.hdfsraid.erasurecode.codes.Codecs;
import io.hdfsraid.raidnode.containers.ContainerJobs;
import io.hdfsraid.raidnode.containers.JobDispatcher;
import io.hdfsraid.raidnode.containers.Turns;
import io.hdfsraid.raidnode.raiding.Pipelines;
import io.hdfsraid.raidnode.raiding.engine.ContainerEngine;
import io.hdfsraid.raidnode.raiding.engine.Engine;
import io.hdfsraid.raidnode.traffic.Traffic;
import io.hdfsraid.raidnode.upkeep.CatalogMemberships;
import io.hdfsraid.raidnode.upkeep.CatalogReductions;
import io.hdfsraid.raidnode.worker.ThreadPools;
import java.util.Optional;
import java.util.Random;
import java.util.function.UnaryOperator;

/**
 * The pipelines that raid, audit and release files and groups, with the moves they need.
 *
 * @param placement chooses the units to move
 * @param parityBytes how much parity each node holds
 * @param containers submits and follows the jobs that encode; empty if the daemon encodes
 */
public record RaidingWiring(
    Pipelines pipelines,
    PlacementAudit placement,
    ParityBytes parityBytes,
    Optional<JobDispatcher> containers) {

  static RaidingWiring of(SharedParts shared) {
    JobSettings settings = shared.settings();
    TuningControl tuning = shared.tuning();
    ThreadPools pools = tuning.pools();
    Traffic traffic = tuning.traffic();
    ParityBytes parityBytes = new ParityBytes();
    RefusedMoves refused = new RefusedMoves(shared.clock());
    PlacementAudit placement =
        new PlacementAudit(parityBytes, refused, new Random(shared.clock().millis()));
    UnitMover mover =
        new UnitMover(
            traffic.moves(shared.cluster().mover()),
            shared.cluster().access().fence(),
            shared.claims(),
            settings.polling(),
            new MoveSlots(() -> tuning.now().moves().workers(), settings::movesPerNode),
            refused,
            parityBytes,
            shared.listeners().steps());
    Optional<ContainerJobs> jobs = shared.cluster().containers(ContainerJobs.Kind.ENCODE);
    Optional<JobDispatcher> containers =
        jobs.map(
            its ->
                new JobDispatcher(
                    its,
                    () -> tuning.now().containers().encode(),
                    () -> tuning.now().containers().encode(),
                    shared.containerBounds(),
                    shared.listeners().events(),
                    shared.clock()));
    UnaryOperator<Engine> engine =
        local ->
            jobs.<Engine>map(
                    its ->
                        new ContainerEngine(
                            its,
                            containers.orElseThrow(),
                            local,
                            new Turns(() -> tuning.now().raiding().workers())))
                .orElse(local);
    // No repair waits behind what is encoded: repairs have I/O threads and row memory of their own.
    Pipelines pipelines =
        Pipelines.of(
            shared.cluster().access(),
            new Pipelines.Placement(
                placement,
                new ParityNodes(parityBytes),
                mover,
                pools.add("raid-move", now -> now.moves().workers())),
            new Pipelines.Encoding(
                Codecs::parse,
                traffic,
                new RowMemory(settings.rowMemory()),
                pools.addForIo("raid-work-io", now -> now.raiding().workers()),
                engine),
            new Pipelines.Notebook(
                new CatalogMemberships(shared.catalog().groups()),
                shared.catalog().encodingReads()::put,
                new CatalogReductions(shared.catalog(), shared.journal(), shared.clock())),
            settings.limits(),
            shared.clock(),
            shared.listeners().steps());
    return new RaidingWiring(pipelines, placement, parityBytes, containers);
  }
}
