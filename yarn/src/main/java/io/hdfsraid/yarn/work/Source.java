// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.yarn.work;

import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.block.Replica;
import java.util.List;

/**
 * A unit that a container reads.
 *
 * @param replicas best first, if they are equally near
 * @param token the right to read this block, as HDFS encodes it in an address; empty if the cluster
 *     does not use tokens
 */
public record Source(Block block, List<Replica> replicas, String token) {
  public Source {
    replicas = List.copyOf(replicas);
  }

  /** Returns the block with its replicas, all of which were good when the work was made. */
  public LocatedBlock located() {
    return new LocatedBlock(block, replicas, List.of());
  }

  /** Returns the same source with the right to read it. */
  public Source with(String right) {
    return new Source(block, replicas, right);
  }

  /** Returns the nodes from which it should be read. */
  Work.Held held() {
    return new Work.Held(
        replicas.stream().filter(Replica::inService).map(Replica::node).toList(), block.length());
  }
}
