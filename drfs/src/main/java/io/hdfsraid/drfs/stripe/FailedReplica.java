// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.stripe;

import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.CorruptReplicaException;
import io.hdfsraid.drfs.block.Replica;
import java.io.IOException;

/**
 * A replica that could not be read although the NameNode lists it as good.
 *
 * @param unit number of the unit in the stripe
 * @param offset position in the block at which reading failed; the bytes before it were read from
 *     this replica or from one that failed earlier
 */
public record FailedReplica(
    int unit, Block block, Replica replica, long offset, IOException cause) {

  /**
   * Whether the replica is corrupt and should be reported to the NameNode. Otherwise its node may
   * only be unavailable.
   */
  public boolean corrupt() {
    return cause instanceof CorruptReplicaException;
  }

  @Override
  public String toString() {
    return "%s on %s failed at byte %d (%s)".formatted(block, replica.node(), offset, cause);
  }
}
