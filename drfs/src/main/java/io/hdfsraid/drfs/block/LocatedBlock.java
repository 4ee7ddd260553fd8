// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.block;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A block and its replicas as the NameNode lists them.
 *
 * @param live replicas that the NameNode considers good; empty if the block is lost
 * @param corrupt replicas that the NameNode knows to be bad; the NameNode lists them only if no
 *     good replica is left
 */
public record LocatedBlock(Block block, List<Replica> live, List<Replica> corrupt) {
  public LocatedBlock {
    live = List.copyOf(live);
    corrupt = List.copyOf(corrupt);
  }

  /** Whether no good replica is known: the block is missing, or every replica is corrupt. */
  public boolean isLost() {
    return live.isEmpty();
  }

  /**
   * Returns all nodes that are known to hold a replica of this block, good or bad. None of these
   * nodes can take another replica.
   */
  public Set<DataNode> holders() {
    return Stream.concat(live.stream(), corrupt.stream())
        .map(Replica::node)
        .collect(Collectors.toUnmodifiableSet());
  }
}
