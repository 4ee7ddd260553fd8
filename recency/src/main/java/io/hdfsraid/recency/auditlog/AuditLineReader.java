// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.auditlog;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.ZoneId;
import java.util.Arrays;

/**
 * Parses lines of Hadoop's audit log without a regular expression, and allocates nothing for lines
 * that are no reads. For one thread.
 *
 * <p>A line is {@code time level logger: allowed=true ugi=… ip=… cmd=open src=… dst=…}, with tabs
 * between the fields; more fields may follow. Hadoop 3.3.2 and later write {@code src} with Java's
 * escapes, but user names as they are. A user name with tabs could forge a field; such a line has a
 * field twice and is refused.
 */
final class AuditLineReader {
  private static final byte[] ALLOWED = ascii("allowed=");
  private static final byte[] UGI = ascii("ugi=");
  private static final byte[] IP = ascii("ip=");
  private static final byte[] CMD = ascii("cmd=");
  private static final byte[] SRC = ascii("src=");
  private static final byte[] DST = ascii("dst=");
  private static final byte[] TRUE = ascii("true");
  private static final byte[] FALSE = ascii("false");
  private static final byte[] OPEN = ascii("open");

  /** The longest text of level, thread and logger before the message. */
  private static final int LONGEST_PREFIX = 1_000;

  private final LogTime time;
  private final LineListener reads;

  /** The present line; a field ends at the next tab. */
  private byte[] bytes = {};

  private int at;
  private int end;
  private int valueStart;
  private int valueEnd;

  /** Receives each read that was allowed. */
  @FunctionalInterface
  interface LineListener {
    /**
     * Receives an open of a file.
     *
     * @param at milliseconds since 1970
     * @param line the bytes that contain the ranges of user and client
     */
    void opened(String path, long at, byte[] line, Range ugi, Range ip);
  }

  /** A part of a line. The two objects are reused for all lines. */
  static final class Range {
    int start;
    int end;

    String text(byte[] line) {
      return new String(line, start, end - start, StandardCharsets.UTF_8);
    }

    /** Returns the address of {@code host/127.0.0.1} or {@code /127.0.0.1}. */
    String address(byte[] line) {
      String text = text(line);
      return text.substring(text.lastIndexOf('/') + 1);
    }
  }

  private final Range ugi = new Range();
  private final Range ip = new Range();

  AuditLineReader(ZoneId zone, Clock clock, LineListener reads) {
    this.time = new LogTime(zone, clock);
    this.reads = reads;
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /**
   * Returns the time at the beginning of a line in milliseconds since 1970, or {@link
   * LogTime#NONE}.
   */
  long time(byte[] line, int start, int length) {
    return time.read(line, start, start + length);
  }

  /**
   * Parses a line.
   *
   * @param length without the end of line
   * @return the problem with the line; null if there is none
   */
  LineProblem read(byte[] line, int start, int length) {
    bytes = line;
    end = start + length;
    if (length > 0 && line[start] == '{') {
      return LineProblem.JSON;
    }
    long millis = time.read(line, start, end);
    if (millis == LogTime.NONE) {
      return LineProblem.TIME;
    }
    at = message(start + LogTime.LENGTH);
    if (at < 0 || !field(ALLOWED)) {
      return LineProblem.FIELDS;
    }
    boolean allowed = valueIs(TRUE);
    if (!allowed && !valueIs(FALSE)) {
      return LineProblem.FIELDS;
    }
    if (!field(UGI)) {
      return LineProblem.FIELDS;
    }
    keep(ugi);
    if (!field(IP)) {
      return LineProblem.FIELDS;
    }
    keep(ip);
    if (!field(CMD)) {
      return LineProblem.FIELDS;
    }
    boolean open = valueIs(OPEN);
    if (!field(SRC)) {
      return LineProblem.FIELDS;
    }
    int pathStart = valueStart;
    int pathEnd = valueEnd;
    if (!field(DST) || again()) {
      return LineProblem.FIELDS;
    }
    return allowed && open ? opened(millis, pathStart, pathEnd) : null;
  }

  private void keep(Range range) {
    range.start = valueStart;
    range.end = valueEnd;
  }

  /** Returns where the message begins; -1 if there is none. */
  private int message(int from) {
    int last = Math.min(end, from + LONGEST_PREFIX) - ALLOWED.length;
    for (int i = from; i <= last; i++) {
      if (bytes[i] == 'a' && bytes[i - 1] == ' ' && is(ALLOWED, i)) {
        return i;
      }
    }
    return -1;
  }

  private boolean is(byte[] expected, int from) {
    return end - from >= expected.length
        && Arrays.equals(bytes, from, from + expected.length, expected, 0, expected.length);
  }

  private boolean valueIs(byte[] expected) {
    return Arrays.equals(bytes, valueStart, valueEnd, expected, 0, expected.length);
  }

  /** Skips the next field if it has this key. */
  private boolean field(byte[] key) {
    if (at > end || !is(key, at)) {
      return false;
    }
    valueStart = at + key.length;
    valueEnd = valueStart;
    while (valueEnd < end && bytes[valueEnd] != '\t') {
      valueEnd++;
    }
    at = valueEnd + 1;
    return true;
  }

  /** Returns whether one of the parsed fields occurs again. */
  private boolean again() {
    for (int i = valueEnd; i < end; i++) {
      if (bytes[i] == '\t' && (is(CMD, i + 1) || is(SRC, i + 1) || is(ALLOWED, i + 1))) {
        return true;
      }
    }
    return false;
  }

  private LineProblem opened(long millis, int from, int to) {
    if (from == to || bytes[from] != '/') {
      return LineProblem.PATH;
    }
    boolean plain = true;
    boolean escaped = false;
    for (int i = from; i < to; i++) {
      plain &= bytes[i] >= 0;
      escaped |= bytes[i] == '\\';
    }
    String path;
    if (plain) {
      path = new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
    } else {
      try {
        path =
            StandardCharsets.UTF_8
                .newDecoder()
                .onMalformedInput(CodingErrorAction.REPORT)
                .onUnmappableCharacter(CodingErrorAction.REPORT)
                .decode(ByteBuffer.wrap(bytes, from, to - from))
                .toString();
      } catch (CharacterCodingException e) {
        return LineProblem.UTF_8;
      }
    }
    if (escaped) {
      path = JavaEscapes.read(path);
      if (path == null) {
        return LineProblem.ESCAPE;
      }
    }
    reads.opened(path, millis, bytes, ugi, ip);
    return null;
  }
}
