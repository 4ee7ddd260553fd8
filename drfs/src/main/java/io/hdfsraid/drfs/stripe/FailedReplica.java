package io.hdfsraid.drfs.stripe;

import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.ChecksumFailure;
import io.hdfsraid.drfs.block.Replica;
import java.io.IOException;

/**
 * A replica that could not be read although the NameNode lists it as good.
 *
 * @param unit of the stripe
 * @param offset in the block from which it did not deliver; what lies before it was read from it,
 *     or from a replica that failed earlier
 */
public record FailedReplica(
    int unit, Block block, Replica replica, long offset, IOException cause) {

  /** It is rotten, which the NameNode should be told; else the node may just be away. */
  public boolean corrupt() {
    return cause instanceof ChecksumFailure;
  }

  @Override
  public String toString() {
    return "%s on %s failed at byte %d (%s)".formatted(block, replica.node(), offset, cause);
  }
}
