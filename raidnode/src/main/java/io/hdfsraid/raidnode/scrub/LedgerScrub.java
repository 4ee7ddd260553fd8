// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.scrub;

import io.hdfsraid.blockfixer.detect.BlockLookup;
import io.hdfsraid.blockfixer.detect.IntegrityCheck;
import io.hdfsraid.drfs.parity.ParityFile;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import io.hdfsraid.raidnode.catalog.ScrubDepth;
import io.hdfsraid.raidnode.journal.RaidEvents;
import io.hdfsraid.raidnode.repair.StripeHealthRecorder;
import io.hdfsraid.raidnode.repair.WrongParity;
import java.io.IOException;

/** Scrubs stripes at one depth and adds the losses to the repair ledger. */
public final class LedgerScrub {
  private final ScrubDepth depth;
  private final StripeScrub scrub;
  private final IntegrityCheck check;
  private final StripeHealthRecorder recorder;
  private final RaidEvents events;
  private final WrongParity wrongParity;

  /**
   * Creates a scrub.
   *
   * @param check looks up blocks
   * @param recorder adds losses to the repair ledger
   * @param wrongParity called for parity that does not belong to its data
   */
  public LedgerScrub(
      ScrubDepth depth,
      StripeScrub scrub,
      IntegrityCheck check,
      StripeHealthRecorder recorder,
      RaidEvents events,
      WrongParity wrongParity) {
    this.depth = depth;
    this.scrub = scrub;
    this.check = check;
    this.recorder = recorder;
    this.events = events;
    this.wrongParity = wrongParity;
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
    BlockLookup blocks = check.lookup(file);
    StripeScrub.Seen seen = new DroppedReplicas(blocks).removeFrom(scrub.at(stripe, blocks));
    // Losses are only added. A stripe that looks healthy here may have losses that others found
    // meanwhile, and the repair judges each stripe again.
    if (seen.health().needsRepair()) {
      recorder.record(id, seen.health());
    }
    events.scrubbed(depth, stripe);
    if (seen.parityIsWrong()) {
      wrongParity.found(
          id,
          "Every unit of %s holds what was recorded, and yet the parity does not belong to the data: it was wrong when it was encoded"
              .formatted(stripe),
          depth.tag() + " scrub");
    }
    return seen;
  }
}
