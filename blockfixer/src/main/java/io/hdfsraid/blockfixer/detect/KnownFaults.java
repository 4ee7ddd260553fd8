package io.hdfsraid.blockfixer.detect;

import io.hdfsraid.drfs.stripe.LocatedStripe;
import java.io.IOException;
import java.util.List;

/**
 * Faults of replicas that only a full read shows: what a scrub has found and nobody has put right
 * yet. Without them a rotten replica would be healthy again at the next question to its DataNode,
 * which is blind to rot. Safe for concurrent use.
 */
public interface KnownFaults {
  /** Nobody has scrubbed anything. */
  KnownFaults NONE =
      new KnownFaults() {
        @Override
        public List<Finding> of(LocatedStripe stripe) {
          return List.of();
        }

        @Override
        public void confirm(LocatedStripe stripe) {}
      };

  /** Those of replicas that the NameNode still holds to be good; costs no question to anybody. */
  List<Finding> of(LocatedStripe stripe);

  /**
   * Reads these replicas again and forgets the faults that are there no more: a node may have been
   * given a good replica since.
   */
  void confirm(LocatedStripe stripe) throws IOException;
}
