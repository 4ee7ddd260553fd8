package io.hdfsraid.drfs.block;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A block and where the NameNode believes its replicas are.
 *
 * @param live replicas the NameNode holds to be good; empty when the block is lost
 * @param corrupt replicas the NameNode knows to be bad; it names them only when no good one is left
 */
public record LocatedBlock(Block block, List<Replica> live, List<Replica> corrupt) {
  public LocatedBlock {
    live = List.copyOf(live);
    corrupt = List.copyOf(corrupt);
  }

  /** No good replica is known: missing, or every replica corrupt. */
  public boolean isLost() {
    return live.isEmpty();
  }

  /**
   * Every node that is known to hold anything under this block's id: none of them can take another
   * replica of it.
   */
  public Set<DataNode> holders() {
    return Stream.concat(live.stream(), corrupt.stream())
        .map(Replica::node)
        .collect(Collectors.toUnmodifiableSet());
  }
}
