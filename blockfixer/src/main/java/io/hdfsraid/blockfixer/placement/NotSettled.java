package io.hdfsraid.blockfixer.placement;

import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.DataNode;
import java.util.Set;

/**
 * A unit whose replicas are about to change by the NameNode's doing. It is not moved before.
 *
 * @param expected how many replicas it is to have
 * @param nodes where it has some now
 */
public record NotSettled(int unit, Block block, int expected, Set<DataNode> nodes, Why why) {
  /** What the NameNode is going to do. */
  public enum Why {
    /** It has not dropped the excess replicas yet; after a failover that can take hours. */
    EXCESS,
    /** All replicas are on nodes that are leaving; it copies them, and until then they serve. */
    LEAVING
  }

  public NotSettled {
    nodes = Set.copyOf(nodes);
  }
}
