// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.blockfixer.plan;

import io.hdfsraid.drfs.block.DataNode;

/**
 * The cost of reading from a DataNode, apart from the bytes: its distance and its load. Safe for
 * concurrent use.
 */
@FunctionalInterface
public interface NodeCost {
  /** All nodes cost the same. */
  NodeCost NONE = node -> 0;

  /** Returns a cost between 0 for the best node and 1 for the worst. */
  double of(DataNode node);
}
