// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.policies;

import io.hdfsraid.policies.settings.Section;
import io.hdfsraid.policies.window.TimeWindows;
import io.hdfsraid.policies.window.WeeklyWindow;
import java.time.DayOfWeek;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads {@code windows} and {@code blackouts} of a section. */
final class WindowReader {
  private static final Pattern TIME = Pattern.compile("(\\d{1,2}):(\\d{2})");
  private static final String END_OF_DAY = "24:00";

  private WindowReader() {}

  static TimeWindows read(Section section, ZoneId zone) {
    List<WeeklyWindow> windows =
        list(section, "windows", List.of("days", "from", "to", "intensity"));
    List<WeeklyWindow> blackouts = list(section, "blackouts", List.of("days", "from", "to"));
    return TimeWindows.of(windows, blackouts, zone);
  }

  private static List<WeeklyWindow> list(Section section, String key, List<String> known) {
    List<WeeklyWindow> windows = new ArrayList<>();
    for (Section.Entry entry : section.entries(key)) {
      if (entry.value() instanceof Map<?, ?> map) {
        window(section.at(entry.key(), map, known)).ifPresent(windows::add);
      } else {
        section.problem(entry.key(), "must have some of " + String.join(", ", known));
      }
    }
    return windows;
  }

  private static Optional<WeeklyWindow> window(Section section) {
    int before = section.problems();
    Set<DayOfWeek> days = EnumSet.noneOf(DayOfWeek.class);
    section.list("days", WindowReader::days).forEach(days::addAll);
    if (!section.has("days")) {
      days.addAll(TimeWindows.everyDay());
    } else if (days.isEmpty() && section.isFine("days")) {
      section.problem("days", "must name at least one day");
    }
    Optional<LocalTime> from = section.value("from", WindowReader::time);
    Optional<String> toText = section.text("to");
    Optional<LocalTime> to =
        toText.filter(text -> !text.equals(END_OF_DAY)).isPresent()
            ? section.value("to", WindowReader::time)
            : Optional.empty();
    int intensity = section.value("intensity", Section.percent(0)).orElse(WeeklyWindow.FULL);
    LocalTime begin = from.orElse(LocalTime.MIDNIGHT);
    if (to.isPresent() && to.get().equals(begin)) {
      section.problem(
          "to", "is the same as from; for whole days leave both out, or write 00:00 and 24:00");
    }
    return section.problems() > before
        ? Optional.empty()
        : Optional.of(new WeeklyWindow(days, begin, to, intensity));
  }

  /** {@code MON}, {@code monday} or {@code MON-FRI}; {@code SAT-MON} is three days, too. */
  private static Set<DayOfWeek> days(String text) {
    String[] ends = text.split("-", -1);
    Set<DayOfWeek> days = EnumSet.noneOf(DayOfWeek.class);
    if (ends.length <= 2) {
      Optional<DayOfWeek> first = day(ends[0]);
      Optional<DayOfWeek> last = day(ends[ends.length - 1]);
      if (first.isPresent() && last.isPresent()) {
        for (DayOfWeek day = first.get(); day != last.get(); day = day.plus(1)) {
          days.add(day);
        }
        days.add(last.get());
        return days;
      }
    }
    throw new IllegalArgumentException(
        "must be a day such as MON, or days such as MON-FRI, but is '%s'".formatted(text));
  }

  private static Optional<DayOfWeek> day(String text) {
    String name = text.strip().toUpperCase(Locale.ROOT);
    for (DayOfWeek day : DayOfWeek.values()) {
      if (name.equals(day.name()) || name.equals(day.name().substring(0, 3))) {
        return Optional.of(day);
      }
    }
    return Optional.empty();
  }

  private static LocalTime time(String text) {
    Matcher time = TIME.matcher(text);
    if (time.matches()) {
      int hour = Integer.parseInt(time.group(1));
      int minute = Integer.parseInt(time.group(2));
      if (hour < 24 && minute < 60) {
        return LocalTime.of(hour, minute);
      }
    }
    throw new IllegalArgumentException(
        "must be a time such as \"22:00\", in quotes, but is '%s'".formatted(text));
  }
}
