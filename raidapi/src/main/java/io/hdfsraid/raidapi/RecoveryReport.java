package io.hdfsraid.raidapi;

import java.util.List;

/**
 * How a file was copied out of HDFS, with what had to be rebuilt.
 *
 * @param to where the copy is, or was to be
 * @param written whether there is a copy
 * @param length of the file
 * @param rebuiltBytes what HDFS could not read and was rebuilt from parity
 * @param missing ranges that could neither be read nor rebuilt, in order; zeros in the copy
 * @param checked blocks whose bytes were held against the checksum recorded when they were raided
 * @param blocks of the file
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
   * Bytes of the file.
   *
   * @param from the first one
   * @param to the one behind the last
   * @param why they cannot be had
   */
  public record Range(long from, long to, long blockId, String why) {
    public Range {
      why = Absent.toEmpty(why);
    }

    public long length() {
      return to - from;
    }
  }

  /** The same, when no copy was kept. */
  public RecoveryReport unwritten() {
    return new RecoveryReport(path, to, false, length, rebuiltBytes, missing, checked, blocks);
  }

  /** Bytes that are not in the copy. */
  public long missingBytes() {
    return missing.stream().mapToLong(Range::length).sum();
  }
}
