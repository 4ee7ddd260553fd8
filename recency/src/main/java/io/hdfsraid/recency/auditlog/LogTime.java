// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.auditlog;

import java.time.Clock;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Arrays;

/**
 * Parses times such as {@code 2026-11-21 00:30:43,755}, with a blank or a T, a comma or a point.
 * The minute is converted once and cached. If a local time occurs twice because the clock was set
 * back, the later time is taken unless it is in the future; so a file may look hotter than it is,
 * but never colder.
 */
final class LogTime {
  static final long NONE = Long.MIN_VALUE;

  /** Of a time, in bytes. */
  static final int LENGTH = 23;

  private static final int TO_MINUTE = 16;
  private static final int SECONDS_OF_MINUTE = 60;
  private static final long MILLIS = 1_000;

  private final ZoneId zone;
  private final Clock clock;
  private final byte[] minute = new byte[TO_MINUTE];
  private long minuteMillis = NONE;

  LogTime(ZoneId zone, Clock clock) {
    this.zone = zone;
    this.clock = clock;
  }

  /** Returns milliseconds since 1970, or {@link #NONE} if there is no time. */
  long read(byte[] line, int from, int end) {
    if (end - from <= LENGTH
        || line[from + 16] != ':'
        || (line[from + 19] != ',' && line[from + 19] != '.')
        || line[from + LENGTH] != ' ') {
      return NONE;
    }
    int second = number(line, from + 17, 2);
    int milli = number(line, from + 20, 3);
    if (second < 0 || second >= SECONDS_OF_MINUTE || milli < 0) {
      return NONE;
    }
    if (minuteMillis == NONE
        || !Arrays.equals(line, from, from + TO_MINUTE, minute, 0, TO_MINUTE)) {
      long reckoned = minute(line, from);
      if (reckoned == NONE) {
        return NONE;
      }
      System.arraycopy(line, from, minute, 0, TO_MINUTE);
      minuteMillis = reckoned;
    }
    return minuteMillis + second * MILLIS + milli;
  }

  private long minute(byte[] line, int from) {
    int year = number(line, from, 4);
    int month = number(line, from + 5, 2);
    int day = number(line, from + 8, 2);
    int hour = number(line, from + 11, 2);
    int ofHour = number(line, from + 14, 2);
    byte between = line[from + 10];
    if (line[from + 4] != '-'
        || line[from + 7] != '-'
        || line[from + 13] != ':'
        || (between != ' ' && between != 'T')
        || year < 0
        || hour < 0
        || ofHour < 0) {
      return NONE;
    }
    try {
      ZonedDateTime time = ZonedDateTime.of(LocalDateTime.of(year, month, day, hour, ofHour), zone);
      Instant later = time.withLaterOffsetAtOverlap().toInstant();
      Instant earlier = time.withEarlierOffsetAtOverlap().toInstant();
      boolean comesTwice = later.isAfter(earlier);
      return (comesTwice && later.isAfter(clock.instant()) ? earlier : later).toEpochMilli();
    } catch (DateTimeException e) {
      return NONE;
    }
  }

  /** Returns -1 if a character is not a digit. */
  private static int number(byte[] line, int from, int digits) {
    int value = 0;
    for (int i = from; i < from + digits; i++) {
      if (line[i] < '0' || line[i] > '9') {
        return -1;
      }
      value = value * 10 + line[i] - '0';
    }
    return value;
  }
}
