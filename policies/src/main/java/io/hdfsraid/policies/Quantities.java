// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.policies;

import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads durations and sizes as people write them. */
final class Quantities {
  private static final Pattern NUMBER_AND_UNIT = Pattern.compile("(-?\\d{1,18})\\s*([A-Za-z]*)");

  private static final Map<String, Long> SECONDS =
      Map.ofEntries(
          Map.entry("s", 1L),
          Map.entry("second", 1L),
          Map.entry("seconds", 1L),
          Map.entry("m", 60L),
          Map.entry("min", 60L),
          Map.entry("minute", 60L),
          Map.entry("minutes", 60L),
          Map.entry("h", 3_600L),
          Map.entry("hour", 3_600L),
          Map.entry("hours", 3_600L),
          Map.entry("d", 86_400L),
          Map.entry("day", 86_400L),
          Map.entry("days", 86_400L));

  private static final Map<String, Long> BYTES =
      Map.ofEntries(
          Map.entry("b", 1L),
          Map.entry("kb", 1_000L),
          Map.entry("mb", 1_000_000L),
          Map.entry("gb", 1_000_000_000L),
          Map.entry("tb", 1_000_000_000_000L),
          Map.entry("kib", 1L << 10),
          Map.entry("mib", 1L << 20),
          Map.entry("gib", 1L << 30),
          Map.entry("tib", 1L << 40));

  private Quantities() {}

  /**
   * @throws IllegalArgumentException saying what a duration looks like
   */
  static Duration duration(String text) {
    try {
      return Duration.ofSeconds(
          amount(text, SECONDS, "must be a duration such as 90d, 12h, 30min or 0"));
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException("is too long: '" + text + "'", e);
    }
  }

  /**
   * @throws IllegalArgumentException saying what a size looks like
   */
  static long bytes(String text) {
    try {
      return amount(text, BYTES, "must be a size such as 64MiB, 1GB or 0");
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException("is too large: '" + text + "'", e);
    }
  }

  private static long amount(String text, Map<String, Long> units, String expected) {
    Matcher matcher = NUMBER_AND_UNIT.matcher(text.strip());
    if (!matcher.matches()) {
      throw new IllegalArgumentException(expected + ", but is '" + text + "'");
    }
    long number = Long.parseLong(matcher.group(1));
    String unit = matcher.group(2).toLowerCase(Locale.ROOT);
    if (number < 0) {
      throw new IllegalArgumentException("must not be negative, but is '" + text + "'");
    }
    if (unit.isEmpty() && number == 0) {
      return 0;
    }
    if (!units.containsKey(unit)) {
      throw new IllegalArgumentException(
          expected + ", but is '" + text + "'" + (unit.isEmpty() ? ", without a unit" : ""));
    }
    return Math.multiplyExact(number, units.get(unit).longValue());
  }

  /** Whole days where it is days, else the ISO form. */
  static String show(Duration duration) {
    return duration.equals(Duration.ofDays(duration.toDays()))
        ? duration.toDays() + "d"
        : duration.toString().substring("PT".length()).toLowerCase(Locale.ROOT);
  }
}
