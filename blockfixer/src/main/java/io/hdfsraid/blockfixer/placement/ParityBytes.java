package io.hdfsraid.blockfixer.placement;

import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.namespace.NodeState;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * How many bytes of parity lie on each DataNode, as far as is known: what the last audit of all
 * stripes has counted, and what was written and moved since. With the NameNode's word on how much a
 * node holds at all it tells parity from data, so that both stay spread: a node that holds mostly
 * parity serves no reads. Safe for concurrent use.
 */
public final class ParityBytes {
  private final Map<DataNode, Long> bytes = new ConcurrentHashMap<>();

  /** Parity was written to a node, or is on its way. */
  public void added(DataNode node, long length) {
    bytes.merge(node, length, Long::sum);
  }

  /** Parity was moved. */
  public void moved(DataNode from, DataNode to, long length) {
    bytes.merge(from, -length, Long::sum);
    bytes.merge(to, length, Long::sum);
  }

  /** All parity was counted. */
  public void counted(Map<DataNode, Long> counted) {
    bytes.keySet().retainAll(counted.keySet());
    bytes.putAll(counted);
  }

  /** Bytes of parity on a node; 0 where nothing is known. */
  public long on(DataNode node) {
    return Math.max(0, bytes.getOrDefault(node, 0L));
  }

  /** The share of a node's capacity that parity takes. */
  double parityLoad(NodeState state) {
    return share(on(state.node()), state);
  }

  /** The share of a node's capacity that everything else takes. */
  double dataLoad(NodeState state) {
    return share(Math.max(0, state.used() - on(state.node())), state);
  }

  private static double share(long bytes, NodeState state) {
    return state.capacity() <= 0 ? 1 : (double) bytes / state.capacity();
  }
}
