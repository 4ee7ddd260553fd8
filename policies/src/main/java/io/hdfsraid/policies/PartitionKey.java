// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.policies;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The names of the partition directories that hold the date of a path: {@code dt} for {@code
 * dt=2026-11-21}, {@code dt=20261121}, {@code dt=2026-11} or one of them with an hour ({@code
 * dt=2026-11-21-07}); {@code dt/hour} for two of them; {@code year/month/day} or {@code
 * year/month/day/hour} for parts of a date in directories of their own.
 */
public record PartitionKey(List<String> names) {
  private static final int MOST_NAMES = 4;
  private static final Pattern NAME = Pattern.compile("[\\p{L}\\p{N}_.-]+");
  private static final Pattern YEAR = Pattern.compile("\\d{4}");
  private static final Pattern PART = Pattern.compile("\\d{1,2}");

  /** Hive writes a colon as %3A and a space as %20 or as it is. */
  private static final Pattern DATE =
      Pattern.compile(
          "(\\d{4})(?:-(\\d{2})(?:-(\\d{2}))?|(\\d{2})(\\d{2})?)"
              + "(?:(?:[-_T ]|%20)?(\\d{2})(?:(?::|%3A)00){0,2})?");

  public PartitionKey {
    names = List.copyOf(names);
    if (names.isEmpty() || names.size() > MOST_NAMES) {
      throw new IllegalArgumentException(
          "must be one to %d names, such as dt or year/month/day, but is '%s'"
              .formatted(MOST_NAMES, String.join("/", names)));
    }
    for (String name : names) {
      if (!NAME.matcher(name).matches()) {
        throw new IllegalArgumentException(
            "must be the names of partition directories without '=', such as dt or"
                + " year/month/day, but is '%s'".formatted(String.join("/", names)));
      }
    }
  }

  /** Reads {@code dt} or {@code year/month/day}. */
  public static PartitionKey of(String text) {
    return new PartitionKey(List.of(text.split("/", -1)));
  }

  /**
   * The end of a partition, or why there is none.
   *
   * @param end the first moment that is not of the partition any more
   */
  record Answer(Optional<Instant> end, Detail problem) {}

  Answer of(String path, ZoneId zone) {
    List<String> values = new ArrayList<>(names.size());
    for (String name : names) {
      String value = value(path, name);
      if (value == null) {
        return none(Detail.of("Its path has no directory %s=….", name));
      }
      values.add(value);
    }
    try {
      Optional<Period> period = period(values);
      if (period.isPresent()) {
        return new Answer(Optional.of(period.get().end(zone)), Detail.NONE);
      }
    } catch (DateTimeException e) {
      // The 31st of February: said below.
    }
    return none(
        Detail.of(
            "'%s' of its path is no date.",
            names.stream()
                .map(name -> name + "=" + value(path, name))
                .collect(Collectors.joining("/"))));
  }

  private static Answer none(Detail problem) {
    return new Answer(Optional.empty(), problem);
  }

  /** Of a directory, not of the file itself; null where there is none. */
  private static String value(String path, String name) {
    int at = -1;
    while ((at = path.indexOf(name, at + 1)) >= 0) {
      int equals = at + name.length();
      int end = path.indexOf('/', equals);
      if (end > 0 && at > 0 && path.charAt(at - 1) == '/' && path.charAt(equals) == '=') {
        return path.substring(equals + 1, end);
      }
    }
    return null;
  }

  /** From a moment on the wall, as long as one such unit. */
  private record Period(LocalDateTime begin, ChronoUnit unit) {
    /** Where clocks change, the next midnight is what the calendar says, not 24 hours later. */
    Instant end(ZoneId zone) {
      return unit == ChronoUnit.HOURS
          ? begin.atZone(zone).plusHours(1).toInstant()
          : begin.plus(1, unit).atZone(zone).toInstant();
    }
  }

  private static Optional<Period> period(List<String> values) {
    String first = values.get(0);
    List<String> rest = values.subList(1, values.size());
    if (YEAR.matcher(first).matches()) {
      return period(List.of(first), rest);
    }
    Matcher date = DATE.matcher(first);
    if (!date.matches()) {
      return Optional.empty();
    }
    List<String> parts = new ArrayList<>();
    parts.add(date.group(1));
    parts.add(date.group(2) != null ? date.group(2) : date.group(4));
    for (String part :
        new String[] {date.group(3) != null ? date.group(3) : date.group(5), date.group(6)}) {
      if (part != null) {
        parts.add(part);
      }
    }
    boolean hourWithoutDay =
        date.group(6) != null && date.group(3) == null && date.group(5) == null;
    return hourWithoutDay ? Optional.empty() : period(parts, rest);
  }

  private static Optional<Period> period(List<String> begun, List<String> rest) {
    List<String> parts = new ArrayList<>(begun);
    parts.addAll(rest);
    if (parts.size() > MOST_NAMES
        || !parts.stream().skip(1).allMatch(part -> PART.matcher(part).matches())) {
      return Optional.empty();
    }
    List<ChronoUnit> units =
        List.of(ChronoUnit.YEARS, ChronoUnit.MONTHS, ChronoUnit.DAYS, ChronoUnit.HOURS);
    return Optional.of(
        new Period(
            LocalDateTime.of(
                number(parts, 0, 0),
                number(parts, 1, 1),
                number(parts, 2, 1),
                number(parts, 3, 0),
                0),
            units.get(parts.size() - 1)));
  }

  private static int number(List<String> parts, int index, int otherwise) {
    return index < parts.size() ? Integer.parseInt(parts.get(index)) : otherwise;
  }

  /** As it is written. */
  @Override
  public String toString() {
    return String.join("/", names);
  }
}
