package io.hdfsraid.blockfixer.placement;

import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.DataNode;
import java.util.Set;

/**
 * A unit with more replicas than it is to have: the NameNode has not dropped the excess yet, which
 * after a failover can take hours. It is not moved before.
 */
public record NotSettled(int unit, Block block, int expected, Set<DataNode> nodes) {
  public NotSettled {
    nodes = Set.copyOf(nodes);
  }
}
