package io.hdfsraid.raidnode.recency.audit;

/**
 * A place in one file of a log, wherever that file is by now.
 *
 * @param offset behind the last line that was taken in
 * @param headLength how many bytes of its beginning say which file it is
 * @param headSum their CRC32C
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

  /** {@code IllegalArgumentException} for another text. */
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
