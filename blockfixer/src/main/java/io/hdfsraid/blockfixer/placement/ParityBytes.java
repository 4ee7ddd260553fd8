// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.blockfixer.placement;

import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.namespace.NodeState;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The bytes of parity on each DataNode, as far as known: the count of the last full audit plus
 * later writes and moves. Together with the NameNode's usage report, this separates parity from
 * data on a node, so that both can be spread evenly. A node that holds mostly parity would serve
 * few reads. Safe for concurrent use.
 */
public final class ParityBytes {
  private final Map<DataNode, Long> bytes = new ConcurrentHashMap<>();

  /** Adds parity that was written, or is being written, to a node. */
  public void added(DataNode node, long length) {
    bytes.merge(node, length, Long::sum);
  }

  /** Records that parity was moved. */
  public void moved(DataNode from, DataNode to, long length) {
    bytes.merge(from, -length, Long::sum);
    bytes.merge(to, length, Long::sum);
  }

  /** Replaces the counts by those of a full audit. */
  public void counted(Map<DataNode, Long> counted) {
    bytes.keySet().retainAll(counted.keySet());
    bytes.putAll(counted);
  }

  /** Returns the bytes of parity on a node; 0 if nothing is known. */
  public long on(DataNode node) {
    return Math.max(0, bytes.getOrDefault(node, 0L));
  }

  /** Returns the share of a node's capacity that parity takes. */
  double parityLoad(NodeState state) {
    return share(on(state.node()), state);
  }

  /** Returns the share of a node's capacity that other data takes. */
  double dataLoad(NodeState state) {
    return share(Math.max(0, state.used() - on(state.node())), state);
  }

  private static double share(long bytes, NodeState state) {
    return state.capacity() <= 0 ? 1 : (double) bytes / state.capacity();
  }
}
