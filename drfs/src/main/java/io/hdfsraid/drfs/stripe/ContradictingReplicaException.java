// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.stripe;

import io.hdfsraid.drfs.block.Replica;
import java.io.IOException;

/**
 * Thrown when a replica holds other bytes than were encoded, although they match the checksums of
 * its DataNode.
 */
public final class ContradictingReplicaException extends IOException {
  private static final long serialVersionUID = 1L;

  ContradictingReplicaException(LocatedStripe stripe, StripeUnit unit, Replica replica, int crc) {
    super(
        "The replica of unit %d of %s on %s has CRC32C %08x, but %08x was recorded when it was encoded: it holds other bytes. They were not used"
            .formatted(unit.unit(), stripe, replica.node(), crc, unit.crc()));
  }
}
