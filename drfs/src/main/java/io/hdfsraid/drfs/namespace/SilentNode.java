package io.hdfsraid.drfs.namespace;

import io.hdfsraid.drfs.block.DataNode;
import java.time.Instant;
import java.util.Objects;

/**
 * A DataNode that the NameNode does not hear of.
 *
 * @param inService false when it was decommissioned or in maintenance: that it is silent was to be
 *     expected
 * @param lastHeard when the NameNode last heard of it; {@link Instant#EPOCH} when it never did
 */
public record SilentNode(DataNode node, boolean inService, Instant lastHeard) {
  public SilentNode {
    Objects.requireNonNull(node, "node");
    Objects.requireNonNull(lastHeard, "lastHeard");
  }
}
