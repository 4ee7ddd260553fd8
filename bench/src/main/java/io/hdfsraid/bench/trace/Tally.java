// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.trace;

/** The number of reads, and of those that met a raided file. */
public final class Tally {
  private long reads;
  private long misses;
  private long bytes;
  private long bytesMissed;

  void hit(long size) {
    reads++;
    bytes += size;
  }

  void miss(long size) {
    hit(size);
    misses++;
    bytesMissed += size;
  }

  Tally plus(Tally other) {
    Tally sum = new Tally();
    sum.reads = reads + other.reads;
    sum.misses = misses + other.misses;
    sum.bytes = bytes + other.bytes;
    sum.bytesMissed = bytesMissed + other.bytesMissed;
    return sum;
  }

  public long reads() {
    return reads;
  }

  public long misses() {
    return misses;
  }

  /** In per cent of all reads. */
  public double missRatio() {
    return 100.0 * misses / Math.max(1, reads);
  }

  /** In per cent of all bytes that were read. */
  public double byteMissRatio() {
    return 100.0 * bytesMissed / Math.max(1, bytes);
  }
}
