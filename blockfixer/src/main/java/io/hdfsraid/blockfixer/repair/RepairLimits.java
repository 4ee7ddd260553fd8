package io.hdfsraid.blockfixer.repair;

import java.util.Objects;

/**
 * Where a repair gives up for this time.
 *
 * @param attempts how many that come to nothing, as helpers or targets fail, at least 1; one that
 *     proves another unit to be bad does not count
 * @param patience with the NameNode, for each thing it is to notice
 */
public record RepairLimits(int attempts, Patience patience) {
  public RepairLimits {
    Objects.requireNonNull(patience, "patience");
    if (attempts < 1) {
      throw new IllegalArgumentException("A repair needs 1 or more attempts, but got " + attempts);
    }
  }
}
