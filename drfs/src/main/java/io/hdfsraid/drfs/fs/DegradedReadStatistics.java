// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.fs;

import io.hdfsraid.drfs.block.Distance;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** Counts the ranges and bytes that were read through parity. Counts never decrease. */
public final class DegradedReadStatistics {
  private final LongAdder reads = new LongAdder();
  private final LongAdder bytes = new LongAdder();
  private final Map<Distance, LongAdder> bytesRead = new EnumMap<>(Distance.class);

  DegradedReadStatistics() {
    for (Distance distance : Distance.values()) {
      bytesRead.put(distance, new LongAdder());
    }
  }

  /**
   * Counts a rebuilt range.
   *
   * @param read bytes read from DataNodes, by distance
   */
  void count(long rebuilt, Map<Distance, Long> read) {
    reads.increment();
    bytes.add(rebuilt);
    read.forEach((distance, more) -> bytesRead.get(distance).add(more));
  }

  /** Returns the number of rebuilt ranges. */
  public long count() {
    return reads.sum();
  }

  /** Returns the number of rebuilt bytes. */
  public long bytes() {
    return bytes.sum();
  }

  /** Returns the bytes that were read from DataNodes for the rebuilds. */
  public long bytesRead() {
    return bytesRead.values().stream().mapToLong(LongAdder::sum).sum();
  }

  /** Returns the bytes that were read from DataNodes at this distance. */
  public long bytesRead(Distance distance) {
    return bytesRead.get(distance).sum();
  }
}
