// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.job;

import io.hdfsraid.blockfixer.detect.IntegrityCheck;
import io.hdfsraid.blockfixer.scrub.BadReplicaReporter;
import io.hdfsraid.blockfixer.scrub.Scrubber;
import io.hdfsraid.drfs.block.DataNodes;
import io.hdfsraid.drfs.parity.ParityStore;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.ScrubDepth;
import io.hdfsraid.raidnode.raiding.core.ClusterAccess;
import io.hdfsraid.raidnode.scrub.LedgerScrub;
import io.hdfsraid.raidnode.scrub.ParityScrub;
import io.hdfsraid.raidnode.scrub.RequestedScrub;
import io.hdfsraid.raidnode.scrub.ScrubJob;
import io.hdfsraid.raidnode.scrub.ScrubJournal;
import io.hdfsraid.raidnode.scrub.StripeScrub;
import io.hdfsraid.raidnode.traffic.Purpose;
import io.hdfsraid.raidnode.traffic.Traffic;
import io.hdfsraid.raidnode.traffic.Tuning;
import io.hdfsraid.raidnode.worker.ThreadPools;
import io.hdfsraid.raidnode.worker.Workers;

/** The scrubs of both depths. */
public record ScrubWiring(Scrubs presence, Scrubs deep) {

  /** The scrubs of one depth: the scheduled one, and the one that operators request. */
  record Scrubs(ScrubJob job, RequestedScrub requested) {}

  static ScrubWiring of(SharedParts shared, UpkeepWiring upkeep, DetectionWiring detection) {
    ClusterAccess access = shared.cluster().access();
    Traffic traffic = shared.tuning().traffic();
    ThreadPools pools = shared.tuning().pools();
    DataNodes dataNodes = detection.stalls().reads(access.dataNodes());
    IntegrityCheck paced =
        new IntegrityCheck(
            access.namespace(),
            detection.locator(),
            traffic.questions(dataNodes),
            detection.faults(),
            shared.cluster().detached(),
            pools.addForIo("raid-scrub-io", ScrubWiring::workers));
    Scrubber scrubber = new Scrubber(traffic.reads(Purpose.SCRUB, dataNodes));
    BadReplicaReporter copies =
        new BadReplicaReporter(shared.cluster().badReplicas(), access.fence(), shared.claims());
    StripeScrub everything = StripeScrub.deep(scrubber, detection.faults(), copies);
    StripeScrub unread =
        StripeScrub.deep(scrubber, detection.faults(), copies, shared.catalog().encodingReads());
    StripeScrub presence = StripeScrub.presence(paced);
    return new ScrubWiring(
        scrubs(
            shared,
            upkeep,
            ledgerScrub(shared, upkeep, detection, ScrubDepth.PRESENCE, presence),
            ledgerScrub(shared, upkeep, detection, ScrubDepth.PRESENCE, presence),
            detection.check(),
            new Workers(pools.add("raid-scrub", ScrubWiring::workers))),
        scrubs(
            shared,
            upkeep,
            ledgerScrub(shared, upkeep, detection, ScrubDepth.DEEP, unread),
            ledgerScrub(shared, upkeep, detection, ScrubDepth.DEEP, everything),
            detection.check(),
            new Workers(pools.add("raid-scrub-deep", ScrubWiring::workers))));
  }

  private static LedgerScrub ledgerScrub(
      SharedParts shared,
      UpkeepWiring upkeep,
      DetectionWiring detection,
      ScrubDepth depth,
      StripeScrub scrub) {
    return new LedgerScrub(
        depth,
        scrub,
        detection.check(),
        detection.recorder(),
        shared.listeners().events(),
        upkeep.reconciler()::parityIsWrong);
  }

  private static Scrubs scrubs(
      SharedParts shared,
      UpkeepWiring upkeep,
      LedgerScrub scheduled,
      LedgerScrub requested,
      IntegrityCheck check,
      Workers workers) {
    Catalog catalog = shared.catalog();
    ParityStore parity = shared.cluster().access().parity();
    ScrubJournal journal = new ScrubJournal(scheduled.depth(), catalog.files(), shared.journal());
    return new Scrubs(
        new ScrubJob(
            shared.settings().scrub(),
            new ParityScrub(scheduled, parity, check, catalog, journal, shared.clock()),
            catalog,
            workers,
            shared.clock()),
        new RequestedScrub(
            requested,
            parity,
            check,
            upkeep.reconciler(),
            catalog.scrubs(),
            journal,
            shared.clock()));
  }

  /** Returns the job that scrubs all stripes at one depth. */
  public ScrubJob job(ScrubDepth depth) {
    return at(depth).job();
  }

  /** Returns the scrub of one depth that operators request. */
  public RequestedScrub requested(ScrubDepth depth) {
    return at(depth).requested();
  }

  private Scrubs at(ScrubDepth depth) {
    return switch (depth) {
      case PRESENCE -> presence;
      case DEEP -> deep;
    };
  }

  private static int workers(Tuning tuning) {
    return tuning.scrub().workers();
  }
}
