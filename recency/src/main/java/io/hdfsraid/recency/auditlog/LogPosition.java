// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.auditlog;

/**
 * A position in a file of a log, independent of the name of the file.
 *
 * @param offset the end of the last line that was read
 * @param headLength how many first bytes identify the file
 * @param headSum the CRC32C of these bytes
 * @param start the time at its beginning, in milliseconds since 1970
 */
record LogPosition(long offset, int headLength, long headSum, long start) {
  private static final String SEPARATOR = ":";
  private static final int FIELDS = 4;

  static LogPosition in(LogFile file, long offset) {
    int length = file.head(offset);
    return new LogPosition(offset, length, file.sum(length), file.start());
  }

  boolean isIn(LogFile file) {
    return file.head(headLength) == headLength && file.sum(headLength) == headSum;
  }

  String text() {
    return offset
        + SEPARATOR
        + headLength
        + SEPARATOR
        + Long.toHexString(headSum)
        + SEPARATOR
        + start;
  }

  /**
   * @throws IllegalArgumentException if the text is no position
   */
  static LogPosition parse(String text) {
    String[] fields = text.split(SEPARATOR, -1);
    if (fields.length != FIELDS) {
      throw new IllegalArgumentException("'%s' is no place in a log".formatted(text));
    }
    return new LogPosition(
        Long.parseLong(fields[0]),
        Integer.parseInt(fields[1]),
        Long.parseLong(fields[2], 16),
        Long.parseLong(fields[3]));
  }
}
