// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.namespace;

import io.hdfsraid.drfs.block.DataNode;
import java.time.Instant;
import java.util.Objects;

/**
 * A DataNode from which the NameNode receives no heartbeats.
 *
 * @param inService false if the node was decommissioned or in maintenance, so that its silence is
 *     expected
 * @param lastHeard time of the last heartbeat; {@link Instant#EPOCH} if there was none
 */
public record UnresponsiveNode(DataNode node, boolean inService, Instant lastHeard) {
  public UnresponsiveNode {
    Objects.requireNonNull(node, "node");
    Objects.requireNonNull(lastHeard, "lastHeard");
  }
}
