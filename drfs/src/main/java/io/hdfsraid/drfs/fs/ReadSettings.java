// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.fs;

import io.hdfsraid.drfs.stripe.RowMemory;
import java.time.Duration;
import org.apache.hadoop.conf.Configuration;

/**
 * Limits of the degraded reads of one client.
 *
 * @param memory bytes for the rows that are rebuilt, and for rebuilt bytes that streams keep
 * @param lostBlocks how many lost blocks are kept for the next streams
 * @param deadline how long a reader waits for DataNodes: a third of it for HDFS before the stripe
 *     is read, and about twice as long as it at most for helpers that nothing can replace
 */
record ReadSettings(long memory, int lostBlocks, Duration deadline) {
  /** Configuration key of the memory in MiB; a quarter of the heap by default, at most 256. */
  static final String MEMORY = "raid.read.memory.mb";

  /** Configuration key of {@code lostBlocks}. */
  static final String LOST_BLOCKS = "raid.read.lost.blocks";

  /** Configuration key of {@code deadline}; 10 seconds by default. */
  static final String DEADLINE = "raid.read.deadline.ms";

  private static final int MIB = 1 << 20;
  private static final int MOST_MEMORY = 256;
  private static final int SHARE_OF_HEAP = 4;
  private static final int SHARE_OF_HDFS = 3;

  /** Some windows are being read, some are rebuilt ahead, and rows need more than windows. */
  private static final int WINDOWS = 64;

  static ReadSettings of(Configuration conf) {
    long heap = Runtime.getRuntime().maxMemory() / MIB;
    long usual = Math.max(1, Math.min(MOST_MEMORY, heap / SHARE_OF_HEAP));
    return new ReadSettings(
        Math.max(1, conf.getLong(MEMORY, usual)) * MIB,
        Math.max(0, conf.getInt(LOST_BLOCKS, 256)),
        Duration.ofMillis(Math.max(1, conf.getLong(DEADLINE, 10_000))));
  }

  /** Returns the memory for rows, which is held while a range is rebuilt. */
  RowMemory rows() {
    return new RowMemory(Math.max(1, memory / 2));
  }

  /**
   * Returns the memory for rebuilt bytes that streams keep. It is held until readers come for them,
   * so rows must not wait for it.
   */
  RowMemory windows() {
    return new RowMemory(Math.max(1, memory / 2));
  }

  /** Returns how many bytes are rebuilt at once for a reader that goes on and on. */
  int largestWindow() {
    return (int)
        Math.max(LostBlock.SMALLEST_WINDOW, Math.min(LostBlock.LARGEST_WINDOW, memory / WINDOWS));
  }

  Duration patienceWithHdfs() {
    return deadline.dividedBy(SHARE_OF_HDFS);
  }
}
