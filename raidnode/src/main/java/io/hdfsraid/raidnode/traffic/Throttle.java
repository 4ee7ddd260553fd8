// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.traffic;

import io.github.bucket4j.TimeMeter;
import io.hdfsraid.drfs.block.DataNode;
import java.io.InterruptedIOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Limits the bytes that one purpose transfers per second, in total and with each DataNode. */
final class Throttle {
  private final TimeMeter time;
  private final Rate whole;
  private final Map<DataNode, Rate> perNode = new ConcurrentHashMap<>();
  private volatile long perNodePerSecond;

  Throttle(Tuning.Share share, TimeMeter time) {
    this.time = time;
    this.whole = new Rate(share.bytesPerSecond(), time);
    this.perNodePerSecond = share.bytesPerSecondPerDataNode();
  }

  void set(Tuning.Share share) {
    whole.set(share.bytesPerSecond());
    perNodePerSecond = share.bytesPerSecondPerDataNode();
    perNode.values().forEach(rate -> rate.set(perNodePerSecond));
  }

  /** First the node's own: who waits for a busy node must not hold what others could use. */
  void take(DataNode node, long bytes) throws InterruptedIOException {
    rate(node).take(bytes);
    whole.take(bytes);
  }

  private Rate rate(DataNode node) {
    Rate rate = perNode.computeIfAbsent(node, unseen -> new Rate(perNodePerSecond, time));
    rate.set(perNodePerSecond); // it may have been made while this was changed
    return rate;
  }

  /** For bytes that go from node to node: they count at both, and once as a whole. */
  void take(DataNode from, DataNode to, long bytes) throws InterruptedIOException {
    rate(from).take(bytes);
    take(to, bytes);
  }
}
