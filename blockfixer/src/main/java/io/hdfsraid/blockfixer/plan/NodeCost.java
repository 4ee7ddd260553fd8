package io.hdfsraid.blockfixer.plan;

import io.hdfsraid.drfs.block.DataNode;

/**
 * What speaks against reading from a DataNode, beside the bytes: its distance, and what it is busy
 * with. Safe for concurrent use.
 */
@FunctionalInterface
public interface NodeCost {
  /** All nodes are alike. */
  NodeCost NONE = node -> 0;

  /** Between 0 for the best and 1 for the worst. */
  double of(DataNode node);
}
