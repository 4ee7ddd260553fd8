// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.job;

import io.hdfsraid.blockfixer.detect.IntegrityCheck;
import io.hdfsraid.blockfixer.repair.StallLimit;
import io.hdfsraid.blockfixer.scrub.Scrubber;
import io.hdfsraid.drfs.block.DataNodes;
import io.hdfsraid.drfs.stripe.StripeLocator;
import io.hdfsraid.erasurecode.codes.Codecs;
import io.hdfsraid.raidnode.health.DataNodesWatch;
import io.hdfsraid.raidnode.raiding.core.ClusterAccess;
import io.hdfsraid.raidnode.repair.IntegrityJob;
import io.hdfsraid.raidnode.repair.ReportedLossJob;
import io.hdfsraid.raidnode.repair.SilentNodesJob;
import io.hdfsraid.raidnode.repair.StripeChecks;
import io.hdfsraid.raidnode.repair.StripeHealthRecorder;
import io.hdfsraid.raidnode.scrub.ScrubFaults;
import io.hdfsraid.raidnode.traffic.Purpose;
import io.hdfsraid.raidnode.traffic.Tuning;
import io.hdfsraid.raidnode.upkeep.PlacementJob;
import io.hdfsraid.raidnode.upkeep.VanishedParity;
import io.hdfsraid.raidnode.worker.ThreadPools;
import io.hdfsraid.raidnode.worker.Workers;

/**
 * The jobs that find lost units.
 *
 * @param stalls ends calls of DataNodes that take too long; shared by checks, repairs and scrubs
 * @param faults the bad replicas that reads have found and the NameNode does not know
 * @param check asks the DataNodes about the units of a stripe
 * @param recorder puts what checks and scrubs find into the repair ledger
 * @param dataNodes asks for the lists of DataNodes
 */
public record DetectionWiring(
    StallLimit stalls,
    StripeLocator locator,
    ScrubFaults faults,
    IntegrityCheck check,
    StripeHealthRecorder recorder,
    StripeChecks stripes,
    IntegrityJob integrity,
    ReportedLossJob reportedLosses,
    SilentNodesJob silentNodes,
    DataNodesWatch dataNodes) {

  static DetectionWiring of(SharedParts shared, UpkeepWiring upkeep, Workers checking) {
    ClusterAccess access = shared.cluster().access();
    ThreadPools pools = shared.tuning().pools();
    StallLimit stalls = new StallLimit(shared.settings().dataNodeTimeout());
    StripeLocator locator = new StripeLocator(Codecs::parse);
    DataNodes dataNodes = stalls.reads(access.dataNodes());
    ScrubFaults faults =
        new ScrubFaults(
            shared.catalog().rotten(),
            // A replica found bad is read again on the way to its repair. The stripe may be at
            // risk, so the read uses the share of urgent repairs.
            new Scrubber(shared.tuning().traffic().reads(Purpose.URGENT_REPAIR, dataNodes)),
            shared.clock());
    IntegrityCheck check =
        new IntegrityCheck(
            access.namespace(),
            locator,
            dataNodes,
            faults,
            shared.cluster().detached(),
            pools.addForIo("raid-check-io", DetectionWiring::workers));
    StripeHealthRecorder recorder =
        new StripeHealthRecorder(shared.catalog(), shared.listeners().events(), shared.clock());
    StripeChecks stripes =
        new StripeChecks(
            access.parity(),
            access.namespace(),
            check,
            upkeep.reconciler(),
            shared.catalog(),
            recorder);
    IntegrityJob integrity =
        new IntegrityJob(
            access.parity(),
            stripes,
            upkeep.reconciler(),
            upkeep.quarantine(),
            new VanishedParity(
                access.parity(),
                upkeep.reconciler(),
                shared.catalog(),
                shared.cluster().spaces(),
                shared.settings().lostParity(),
                PlacementJob.Pause::sleep,
                shared.clock()),
            shared.catalog(),
            checking,
            shared.listeners().trouble(),
            shared.clock());
    Workers reporting = new Workers(pools.add("raid-report", DetectionWiring::workers));
    ReportedLossJob reportedLosses =
        new ReportedLossJob(
            shared.cluster().losses(),
            stripes,
            upkeep.quarantine(),
            shared.catalog(),
            reporting,
            shared.clock());
    return new DetectionWiring(
        stalls,
        locator,
        faults,
        check,
        recorder,
        stripes,
        integrity,
        reportedLosses,
        new SilentNodesJob(access.namespace(), shared.catalog(), stripes, reporting),
        new DataNodesWatch(access.namespace(), shared.clock()));
  }

  /** Returns the workers that check all stripes and their placement. */
  static Workers checking(ThreadPools pools) {
    return new Workers(pools.add("raid-check", DetectionWiring::workers));
  }

  private static int workers(Tuning tuning) {
    return tuning.repair().workers();
  }
}
