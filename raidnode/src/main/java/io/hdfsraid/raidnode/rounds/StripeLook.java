package io.hdfsraid.raidnode.rounds;

import io.hdfsraid.blockfixer.detect.BlockView;
import io.hdfsraid.blockfixer.detect.Fault;
import io.hdfsraid.blockfixer.detect.Finding;
import io.hdfsraid.blockfixer.detect.IntegrityCheck;
import io.hdfsraid.blockfixer.detect.StripeHealth;
import io.hdfsraid.blockfixer.scrub.BadCopies;
import io.hdfsraid.blockfixer.scrub.Reading;
import io.hdfsraid.blockfixer.scrub.Scrubber;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import java.io.IOException;
import java.util.List;

/** How a scrub looks at one stripe. Safe for concurrent use. */
@FunctionalInterface
public interface StripeLook {
  /**
   * Looks.
   *
   * @param blocks how the NameNode shows the blocks of this stripe
   */
  Seen at(LocatedStripe stripe, BlockView blocks) throws IOException;

  /**
   * What was seen.
   *
   * @param bytes read
   * @param reported bad replicas that the NameNode was told of
   */
  record Seen(StripeHealth health, long bytes, int reported) {
    /** Units of which nothing could be learned: their nodes do not answer. */
    boolean gaps() {
      return health.findings().stream().anyMatch(finding -> finding.fault() == Fault.UNREACHABLE);
    }

    /** What is proven to be bad. */
    List<Finding> bad() {
      return health.findings().stream().filter(finding -> finding.fault().provesLoss()).toList();
    }
  }

  /** Asks every replica's DataNode for its checksum. */
  static StripeLook presence(IntegrityCheck check) {
    return (stripe, blocks) -> new Seen(check.check(stripe), 0, 0);
  }

  /** Reads every replica to its end; what is rotten is remembered until it is put right. */
  static StripeLook deep(Scrubber scrubber, ScrubFaults faults, BadCopies copies) {
    return (stripe, blocks) -> {
      Reading reading = scrubber.read(stripe);
      faults.remember(reading);
      return new Seen(reading.health(), reading.bytes(), copies.report(reading, blocks));
    };
  }
}
