// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.policies.window;

import java.time.DayOfWeek;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Hours of every week in local time. When clocks are put back, an hour that comes twice is in the
 * window twice; when they are put forward, an hour that does not come is not.
 *
 * @param days days on which the window begins
 * @param from the first moment in the window
 * @param to the first moment after the window; on the next day if not after {@code from}. Empty:
 *     the end of the day
 * @param intensity the share of the usual speed that is allowed, in percent
 */
public record WeeklyWindow(
    Set<DayOfWeek> days, LocalTime from, Optional<LocalTime> to, int intensity) {
  public static final int FULL = 100;

  public WeeklyWindow {
    if (days.isEmpty()) {
      throw new IllegalArgumentException("A window needs a day");
    }
    if (to.isPresent() && to.get().equals(from)) {
      throw new IllegalArgumentException(
          "A window from %s to %s is either nothing or a day; for whole days leave both out"
              .formatted(from, to.get()));
    }
    if (intensity < 0 || intensity > FULL) {
      throw new IllegalArgumentException("intensity must be 0 to 100, but is " + intensity);
    }
    days = Set.copyOf(days);
  }

  public static WeeklyWindow of(Set<DayOfWeek> days, LocalTime from, LocalTime to) {
    return new WeeklyWindow(days, from, Optional.of(to), FULL);
  }

  public WeeklyWindow at(int percent) {
    return new WeeklyWindow(days, from, to, percent);
  }

  boolean contains(LocalDateTime local) {
    LocalTime time = local.toLocalTime();
    boolean begunToday = days.contains(local.getDayOfWeek()) && !time.isBefore(from);
    if (!isOverMidnight()) {
      return begunToday && to.map(time::isBefore).orElse(true);
    }
    boolean begunYesterday =
        days.contains(local.getDayOfWeek().minus(1)) && time.isBefore(to.orElseThrow());
    return begunToday || begunYesterday;
  }

  private boolean isOverMidnight() {
    return to.map(end -> end.isBefore(from)).orElse(false);
  }

  /** For people: {@code MON-FRI 22:00-06:00}. */
  @Override
  public String toString() {
    return "%s %s-%s%s"
        .formatted(
            showDays(),
            from,
            to.map(LocalTime::toString).orElse("24:00"),
            intensity == FULL ? "" : " at " + intensity + " %");
  }

  private String showDays() {
    List<DayOfWeek> sorted = days.stream().sorted().toList();
    DayOfWeek first = sorted.get(0);
    DayOfWeek last = sorted.get(sorted.size() - 1);
    return sorted.size() > 2 && last.compareTo(first) == sorted.size() - 1
        ? show(first) + "-" + show(last)
        : sorted.stream().map(WeeklyWindow::show).collect(Collectors.joining(","));
  }

  private static String show(DayOfWeek day) {
    return day.name().substring(0, 3);
  }
}
