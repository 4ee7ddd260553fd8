// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.catalog;

import io.hdfsraid.drfs.block.Block;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Objects;

/**
 * A replica that was read and found bad. A checksum query to its DataNode does not show the fault.
 *
 * @param node uuid of the DataNode
 * @param since when it was read
 * @param message what was found, for people
 */
public record ReplicaFault(int unit, Block block, String node, Instant since, String message) {
  public ReplicaFault {
    Objects.requireNonNull(block, "block");
    Objects.requireNonNull(node, "node");
    Objects.requireNonNull(message, "message");
    since = since.truncatedTo(ChronoUnit.MILLIS);
  }
}
