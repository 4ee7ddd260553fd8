// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.blockfixer.repair;

import java.util.Objects;

/**
 * The limits after which a repair gives up for now.
 *
 * @param attempts number of attempts that may fail because of helpers or targets, at least 1; an
 *     attempt that proves another unit to be bad does not count
 * @param polling with the NameNode, for each thing it is to notice
 * @param notice with the NameNode, until DataNodes have told it which replicas have vanished. The
 *     DataNodes of some versions never do, and then those replicas are reported
 */
public record RepairLimits(int attempts, Polling polling, Polling notice) {
  public RepairLimits {
    Objects.requireNonNull(polling, "polling");
    Objects.requireNonNull(notice, "notice");
    if (attempts < 1) {
      throw new IllegalArgumentException("A repair needs 1 or more attempts, but got " + attempts);
    }
  }
}
