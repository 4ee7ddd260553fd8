// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.stripe;

import io.hdfsraid.drfs.block.Block;
import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Thrown when no live replica of a unit can be read. Either the unit has been lost meanwhile, or
 * its nodes are unavailable.
 */
public final class UnitUnreadableException extends IOException {
  private static final long serialVersionUID = 1L;

  private final int unit;
  private final transient List<FailedReplica> failed;

  /**
   * @param failed the replicas that were tried, in order
   */
  public UnitUnreadableException(int unit, Block block, List<FailedReplica> failed) {
    super(
        "%s, unit %d of its stripe, cannot be read from any of its %d live replicas: %s"
            .formatted(
                block,
                unit,
                failed.size(),
                failed.stream().map(FailedReplica::toString).collect(Collectors.joining("; "))));
    this.unit = unit;
    this.failed = List.copyOf(failed);
    failed.forEach(replica -> addSuppressed(replica.cause()));
  }

  public int unit() {
    return unit;
  }

  /** Returns the replicas that were tried, in order. */
  public List<FailedReplica> failed() {
    return failed;
  }
}
