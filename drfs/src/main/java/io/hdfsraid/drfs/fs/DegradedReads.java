package io.hdfsraid.drfs.fs;

import io.hdfsraid.drfs.block.Distance;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** How often and how much was read through parity. Counts only grow. */
public final class DegradedReads {
  private final LongAdder reads = new LongAdder();
  private final LongAdder bytes = new LongAdder();
  private final Map<Distance, LongAdder> bytesRead = new EnumMap<>(Distance.class);

  DegradedReads() {
    for (Distance distance : Distance.values()) {
      bytesRead.put(distance, new LongAdder());
    }
  }

  /**
   * A range was rebuilt.
   *
   * @param read bytes from DataNodes, by their distance
   */
  void count(long rebuilt, Map<Distance, Long> read) {
    reads.increment();
    bytes.add(rebuilt);
    read.forEach((distance, more) -> bytesRead.get(distance).add(more));
  }

  /** Ranges that were rebuilt. */
  public long count() {
    return reads.sum();
  }

  /** Bytes that were rebuilt. */
  public long bytes() {
    return bytes.sum();
  }

  /** Bytes that were read from DataNodes to rebuild them. */
  public long bytesRead() {
    return bytesRead.values().stream().mapToLong(LongAdder::sum).sum();
  }

  /** Those of them that came from so far. */
  public long bytesRead(Distance distance) {
    return bytesRead.get(distance).sum();
  }
}
