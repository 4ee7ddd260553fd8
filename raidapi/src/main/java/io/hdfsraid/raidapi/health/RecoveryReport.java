// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidapi.health;

import io.hdfsraid.raidapi.Absent;
import java.util.List;

/**
 * How a file was copied out of HDFS, and which bytes had to be rebuilt.
 *
 * @param to where the copy is, or would be
 * @param written whether a copy was written
 * @param length length of the file
 * @param rebuiltBytes bytes that HDFS could not read and that were rebuilt from parity
 * @param missing ranges that could neither be read nor rebuilt, in order; they are zeros in the
 *     copy
 * @param checked number of blocks that were compared with the checksum recorded at raiding
 * @param blocks number of blocks of the file
 */
public record RecoveryReport(
    String path,
    String to,
    boolean written,
    long length,
    long rebuiltBytes,
    List<Range> missing,
    int checked,
    int blocks) {
  public RecoveryReport {
    missing = Absent.toEmpty(missing);
  }

  /**
   * A range of the file.
   *
   * @param from first byte
   * @param to the byte after the last one
   * @param why why the bytes cannot be recovered
   */
  public record Range(long from, long to, long blockId, String why) {
    public Range {
      why = Absent.toEmpty(why);
    }

    public long length() {
      return to - from;
    }
  }

  /** Returns the same report for a copy that was not kept. */
  public RecoveryReport unwritten() {
    return new RecoveryReport(path, to, false, length, rebuiltBytes, missing, checked, blocks);
  }

  /** Returns the number of bytes that the copy lacks. */
  public long missingBytes() {
    return missing.stream().mapToLong(Range::length).sum();
  }
}
