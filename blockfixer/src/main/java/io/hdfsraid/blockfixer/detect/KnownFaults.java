// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.blockfixer.detect;

import io.hdfsraid.drfs.stripe.LocatedStripe;
import java.io.IOException;
import java.util.List;

/**
 * Faults of replicas that only a full read reveals: found by a scrub and not repaired yet. Without
 * them a rotten replica would count as healthy again at the next checksum query, which cannot see
 * bit rot. Safe for concurrent use.
 */
public interface KnownFaults {
  /** No faults are known. */
  KnownFaults NONE =
      new KnownFaults() {
        @Override
        public List<UnitFinding> of(LocatedStripe stripe) {
          return List.of();
        }

        @Override
        public void confirm(LocatedStripe stripe) {}
      };

  /**
   * Returns the faults of replicas that the NameNode still considers good. Makes no call to the
   * cluster.
   */
  List<UnitFinding> of(LocatedStripe stripe);

  /**
   * Reads these replicas again and forgets faults that no longer exist, because a node may have
   * received a good replica since.
   */
  void confirm(LocatedStripe stripe) throws IOException;
}
