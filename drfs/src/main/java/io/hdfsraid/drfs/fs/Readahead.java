// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.fs;

import java.util.Collection;

/**
 * How many bytes are rebuilt at once for a reader at the position of a stream: the further it has
 * read without a seek, the more. A byte that is rebuilt costs the bytes of all helpers, so a reader
 * that seeks gets little more than it asks for. Safe for concurrent use; one thread at a time reads
 * at the position.
 */
final class Readahead {
  private static final int GROWTH = 4;

  /** For formats whose readers seek, and read some tens of KiB then. */
  private static final int COLUMNAR = 64 << 10;

  private final int largest;
  private volatile int least = LostBlock.SMALLEST_WINDOW;
  private volatile int most;

  /** Guarded by the stream. */
  private long sinceSeek;

  /**
   * @param largest the maximum for a reader that sets no limit
   */
  Readahead(int largest) {
    this.largest = largest;
    this.most = largest;
  }

  int largest() {
    return largest;
  }

  /** Returns how many bytes to rebuild for a reader that wants this many now. */
  int window(int wanted) {
    long grown = Math.min(most, GROWTH * Math.min(sinceSeek, largest));
    return (int) Math.max(wanted, Math.max(least, grown));
  }

  /** Bytes were read at the position, which has moved behind them. */
  void advanced(int bytes) {
    sinceSeek += bytes;
  }

  /** The reader does not go on where it was. */
  void sought() {
    sinceSeek = 0;
  }

  /**
   * Sets a limit, as {@code CanSetReadahead} has it.
   *
   * @param bytes null for the usual one
   */
  void limit(Long bytes) {
    most =
        bytes == null
            ? largest
            : (int) Math.max(LostBlock.SMALLEST_WINDOW, Math.min(bytes, largest));
    least = LostBlock.SMALLEST_WINDOW;
  }

  /**
   * Follows the first of these policies that is known.
   *
   * @param policies values of {@code fs.option.openfile.read.policy}
   */
  void follow(Collection<String> policies) {
    for (String policy : policies) {
      switch (policy) {
        case "random", "vector", "hbase" -> {
          most = LostBlock.SMALLEST_WINDOW;
          return;
        }
        case "columnar", "parquet", "orc" -> {
          most = COLUMNAR;
          return;
        }
        case "sequential", "whole-file", "avro", "csv", "json" -> {
          least = largest;
          most = largest;
          return;
        }
        case "adaptive", "default" -> {
          return;
        }
        default -> {
          // Unknown to this version; the application names others behind it.
        }
      }
    }
  }
}
