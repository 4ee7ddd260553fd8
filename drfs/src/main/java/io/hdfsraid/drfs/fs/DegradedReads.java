package io.hdfsraid.drfs.fs;

import java.util.concurrent.atomic.LongAdder;

/** How often and how much was read through parity. Counts only grow. */
public final class DegradedReads {
  private final LongAdder reads = new LongAdder();
  private final LongAdder bytes = new LongAdder();
  private final LongAdder bytesRead = new LongAdder();

  DegradedReads() {}

  void count(long rebuilt, long read) {
    reads.increment();
    bytes.add(rebuilt);
    bytesRead.add(read);
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
    return bytesRead.sum();
  }
}
