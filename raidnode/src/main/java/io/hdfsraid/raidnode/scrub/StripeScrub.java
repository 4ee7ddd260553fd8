// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.scrub;

import io.hdfsraid.blockfixer.detect.BlockLookup;
import io.hdfsraid.blockfixer.detect.Fault;
import io.hdfsraid.blockfixer.detect.IntegrityCheck;
import io.hdfsraid.blockfixer.detect.StripeHealth;
import io.hdfsraid.blockfixer.detect.UnitFinding;
import io.hdfsraid.blockfixer.scrub.BadReplicaReporter;
import io.hdfsraid.blockfixer.scrub.ScrubResult;
import io.hdfsraid.blockfixer.scrub.Scrubber;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import io.hdfsraid.raidnode.catalog.EncodingReads;
import java.io.IOException;
import java.util.List;

/** Checks one stripe in the way of one scrub depth. Safe for concurrent use. */
@FunctionalInterface
public interface StripeScrub {
  /**
   * Checks a stripe.
   *
   * @param blocks how the NameNode shows the blocks of this stripe
   */
  Seen at(LocatedStripe stripe, BlockLookup blocks) throws IOException;

  /**
   * The result of checking a stripe.
   *
   * @param bytes the bytes that were read
   * @param reported the bad replicas that the NameNode was told of
   * @param parityIsWrong whether parity was recorded that does not belong to its data
   */
  record Seen(StripeHealth health, long bytes, int reported, boolean parityIsWrong) {
    /** Returns whether nothing is known of some unit, because its DataNode does not answer. */
    boolean gaps() {
      return health.findings().stream().anyMatch(finding -> finding.fault() == Fault.UNREACHABLE);
    }

    /** Returns the replicas that are proven to be bad. */
    List<UnitFinding> bad() {
      return health.findings().stream().filter(finding -> finding.fault().provesLoss()).toList();
    }
  }

  /** Asks every replica's DataNode for its checksum. */
  static StripeScrub presence(IntegrityCheck check) {
    return (stripe, blocks) -> new Seen(check.check(stripe), 0, 0, false);
  }

  /** Reads every replica to its end. Rotten replicas are stored until a read finds them good. */
  static StripeScrub deep(Scrubber scrubber, ScrubFaults faults, BadReplicaReporter copies) {
    return (stripe, blocks) -> deep(scrubber.read(stripe), blocks, faults, copies);
  }

  /**
   * Reads as {@link #deep(Scrubber, ScrubFaults, BadReplicaReporter)} does, but for the replicas
   * that were read to encode their blocks and were not scrubbed since.
   */
  static StripeScrub deep(
      Scrubber scrubber, ScrubFaults faults, BadReplicaReporter copies, EncodingReads read) {
    return (stripe, blocks) -> {
      Seen seen = deep(scrubber.read(stripe, read::contain), blocks, faults, copies);
      read.remove(
          stripe.units().stream()
              .flatMap(unit -> unit.located().stream())
              .map(LocatedBlock::block)
              .toList());
      return seen;
    };
  }

  private static Seen deep(
      ScrubResult reading, BlockLookup blocks, ScrubFaults faults, BadReplicaReporter copies)
      throws IOException {
    faults.remember(reading);
    return new Seen(
        reading.health(), reading.bytes(), copies.report(reading, blocks), reading.parityIsWrong());
  }
}
