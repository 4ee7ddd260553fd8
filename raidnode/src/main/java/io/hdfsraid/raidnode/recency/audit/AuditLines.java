package io.hdfsraid.raidnode.recency.audit;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.ZoneId;
import java.util.Arrays;

/**
 * Reads lines of Hadoop's audit log, one after another, without a regular expression and without
 * making anything of a line that is no read. One thread at a time.
 *
 * <p>A line is {@code time level logger: allowed=true ugi=… ip=… cmd=open src=… dst=…}, with tabs
 * between the fields, and perhaps more of them behind. Hadoop writes {@code src} with Java's
 * escapes (3.3.2 and later), user names as they are. So a user who has chosen a name with tabs in
 * it could forge a field; his lines have a field twice and are refused.
 */
final class AuditLines {
  private static final byte[] ALLOWED = ascii("allowed=");
  private static final byte[] UGI = ascii("ugi=");
  private static final byte[] IP = ascii("ip=");
  private static final byte[] CMD = ascii("cmd=");
  private static final byte[] SRC = ascii("src=");
  private static final byte[] DST = ascii("dst=");
  private static final byte[] TRUE = ascii("true");
  private static final byte[] FALSE = ascii("false");
  private static final byte[] OPEN = ascii("open");

  /** Level, thread and logger before the message are shorter. */
  private static final int LONGEST_PREFIX = 1_000;

  private final LogTime time;
  private final ReadListener reads;

  /** The line that is being read: its fields end where the next tab is. */
  private byte[] bytes = {};

  private int at;
  private int end;
  private int valueStart;
  private int valueEnd;

  /** Is told of each read that was allowed. */
  @FunctionalInterface
  interface ReadListener {
    /**
     * Somebody opened a file.
     *
     * @param at milliseconds since 1970
     * @param line its bytes: the user is at {@code [ugiStart, ugiEnd)}, the client at {@code
     *     [ipStart, ipEnd)}
     */
    void opened(String path, long at, byte[] line, Range ugi, Range ip);
  }

  /** A part of a line; the same two are used for all lines. */
  static final class Range {
    int start;
    int end;

    String text(byte[] line) {
      return new String(line, start, end - start, StandardCharsets.UTF_8);
    }

    /** Of {@code host/127.0.0.1} the address, as of {@code /127.0.0.1}. */
    String address(byte[] line) {
      String text = text(line);
      return text.substring(text.lastIndexOf('/') + 1);
    }
  }

  private final Range ugi = new Range();
  private final Range ip = new Range();

  AuditLines(ZoneId zone, Clock clock, ReadListener reads) {
    this.time = new LogTime(zone, clock);
    this.reads = reads;
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /**
   * The time at the beginning of a line.
   *
   * @return milliseconds since 1970, or {@link LogTime#NONE}
   */
  long time(byte[] line, int start, int length) {
    return time.read(line, start, start + length);
  }

  /**
   * Reads a line.
   *
   * @param length without what ends it
   * @return what is wrong with it; null when nothing is
   */
  Flaw read(byte[] line, int start, int length) {
    bytes = line;
    end = start + length;
    if (length > 0 && line[start] == '{') {
      return Flaw.JSON;
    }
    long millis = time.read(line, start, end);
    if (millis == LogTime.NONE) {
      return Flaw.TIME;
    }
    at = message(start + LogTime.LENGTH);
    if (at < 0 || !field(ALLOWED)) {
      return Flaw.FIELDS;
    }
    boolean allowed = valueIs(TRUE);
    if (!allowed && !valueIs(FALSE)) {
      return Flaw.FIELDS;
    }
    if (!field(UGI)) {
      return Flaw.FIELDS;
    }
    keep(ugi);
    if (!field(IP)) {
      return Flaw.FIELDS;
    }
    keep(ip);
    if (!field(CMD)) {
      return Flaw.FIELDS;
    }
    boolean open = valueIs(OPEN);
    if (!field(SRC)) {
      return Flaw.FIELDS;
    }
    int pathStart = valueStart;
    int pathEnd = valueEnd;
    if (!field(DST) || again()) {
      return Flaw.FIELDS;
    }
    return allowed && open ? opened(millis, pathStart, pathEnd) : null;
  }

  private void keep(Range range) {
    range.start = valueStart;
    range.end = valueEnd;
  }

  /** Where the message begins; -1 when there is none. */
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

  /** Goes behind the next field, if it has this key. */
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

  /** Whether one of the fields that count comes once more. */
  private boolean again() {
    for (int i = valueEnd; i < end; i++) {
      if (bytes[i] == '\t' && (is(CMD, i + 1) || is(SRC, i + 1) || is(ALLOWED, i + 1))) {
        return true;
      }
    }
    return false;
  }

  private Flaw opened(long millis, int from, int to) {
    if (from == to || bytes[from] != '/') {
      return Flaw.PATH;
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
        return Flaw.UTF_8;
      }
    }
    if (escaped) {
      path = JavaEscapes.read(path);
      if (path == null) {
        return Flaw.ESCAPE;
      }
    }
    reads.opened(path, millis, bytes, ugi, ip);
    return null;
  }
}
