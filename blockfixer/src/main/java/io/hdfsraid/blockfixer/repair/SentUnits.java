// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.blockfixer.repair;

import io.hdfsraid.blockfixer.plan.PlannedDelivery;
import io.hdfsraid.drfs.stripe.HelperReads;
import java.io.Closeable;
import java.io.IOException;
import java.util.Optional;

/**
 * Rebuilt units whose targets have all their bytes, which are proven, but have not made them final
 * yet. Used by one thread at a time.
 */
public interface SentUnits extends Closeable {

  /** Returns what was read to rebuild them, and the replicas that could not be read. */
  HelperReads reads();

  /** Returns the application of YARN whose container sent them; empty if this process did. */
  default Optional<String> application() {
    return Optional.empty();
  }

  /**
   * Makes a unit final. Returns after the acknowledgement of the DataNode, or when it is not known
   * whether there was one. Neither proves that the NameNode accepts the replica.
   *
   * @throws TargetFailedException if the target does not acknowledge it. Then it is not known
   *     whether the target has the unit
   * @throws java.io.InterruptedIOException if the calling thread was interrupted while it waited
   *     for another process
   */
  void finish(PlannedDelivery unit) throws IOException;

  /** Drops all units that were not made final. */
  @Override
  void close();
}
