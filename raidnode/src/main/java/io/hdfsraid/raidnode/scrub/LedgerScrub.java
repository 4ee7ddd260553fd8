package io.hdfsraid.raidnode.scrub;

import io.hdfsraid.blockfixer.detect.BlockLookup;
import io.hdfsraid.blockfixer.detect.StripeHealth.State;
import io.hdfsraid.drfs.namespace.Namespace;
import io.hdfsraid.drfs.parity.ParityFile;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import io.hdfsraid.raidnode.catalog.ScrubDepth;
import io.hdfsraid.raidnode.journal.RaidEvents;
import io.hdfsraid.raidnode.repair.StripeHealthRecorder;
import java.io.IOException;

/** Scrubs stripes at one depth and adds the losses to the repair ledger. */
public final class LedgerScrub {
  private final ScrubDepth depth;
  private final StripeScrub scrub;
  private final Namespace namespace;
  private final StripeHealthRecorder recorder;
  private final RaidEvents events;

  /**
   * Creates a scrub.
   *
   * @param recorder adds losses to the repair ledger
   */
  public LedgerScrub(
      ScrubDepth depth,
      StripeScrub scrub,
      Namespace namespace,
      StripeHealthRecorder recorder,
      RaidEvents events) {
    this.depth = depth;
    this.scrub = scrub;
    this.namespace = namespace;
    this.recorder = recorder;
    this.events = events;
  }

  public ScrubDepth depth() {
    return depth;
  }

  /**
   * Scrubs one stripe.
   *
   * @param id the inode id of the raided file, or the id of the group
   */
  StripeScrub.Seen scrub(long id, ParityFile file, LocatedStripe stripe) throws IOException {
    StripeScrub.Seen seen = scrub.at(stripe, new BlockLookup(namespace, file));
    State state = seen.health().state();
    // Losses are only added. A stripe that looks healthy here may have losses that others found
    // meanwhile, and the repair judges each stripe again.
    if (state == State.DEGRADED || state == State.UNRECOVERABLE) {
      recorder.record(id, seen.health());
    }
    events.scrubbed(depth, stripe);
    return seen;
  }
}
