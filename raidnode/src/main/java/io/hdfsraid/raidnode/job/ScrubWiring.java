package io.hdfsraid.raidnode.job;

import io.hdfsraid.blockfixer.detect.IntegrityCheck;
import io.hdfsraid.blockfixer.scrub.BadReplicaReporter;
import io.hdfsraid.blockfixer.scrub.Scrubber;
import io.hdfsraid.drfs.block.DataNodes;
import io.hdfsraid.raidnode.catalog.ScrubDepth;
import io.hdfsraid.raidnode.raiding.core.ClusterAccess;
import io.hdfsraid.raidnode.scrub.ScrubJob;
import io.hdfsraid.raidnode.scrub.StripeScrub;
import io.hdfsraid.raidnode.traffic.Purpose;
import io.hdfsraid.raidnode.traffic.Traffic;
import io.hdfsraid.raidnode.traffic.Tuning;
import io.hdfsraid.raidnode.worker.ThreadPools;
import io.hdfsraid.raidnode.worker.Workers;

/** The scrubs, one for each depth. */
public record ScrubWiring(ScrubJob presence, ScrubJob deep) {

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
            pools.addForIo("raid-scrub-io", ScrubWiring::workers));
    StripeScrub deep =
        StripeScrub.deep(
            new Scrubber(traffic.reads(Purpose.SCRUB, dataNodes)),
            detection.faults(),
            new BadReplicaReporter(
                shared.cluster().badReplicas(), access.fence(), shared.claims()));
    return new ScrubWiring(
        job(
            shared,
            upkeep,
            detection,
            ScrubDepth.PRESENCE,
            StripeScrub.presence(paced),
            new Workers(pools.add("raid-scrub", ScrubWiring::workers))),
        job(
            shared,
            upkeep,
            detection,
            ScrubDepth.DEEP,
            deep,
            new Workers(pools.add("raid-scrub-deep", ScrubWiring::workers))));
  }

  private static ScrubJob job(
      SharedParts shared,
      UpkeepWiring upkeep,
      DetectionWiring detection,
      ScrubDepth depth,
      StripeScrub scrub,
      Workers workers) {
    ClusterAccess access = shared.cluster().access();
    return new ScrubJob(
        depth,
        shared.settings().scrub(),
        scrub,
        access.parity(),
        access.namespace(),
        detection.check(),
        detection.integrity(),
        upkeep.reconciler(),
        shared.catalog(),
        workers,
        shared.journal(),
        shared.listeners().events(),
        shared.clock());
  }

  /** Returns the scrub of one depth. */
  public ScrubJob at(ScrubDepth depth) {
    return switch (depth) {
      case PRESENCE -> presence;
      case DEEP -> deep;
    };
  }

  private static int workers(Tuning tuning) {
    return tuning.scrub().workers();
  }
}
