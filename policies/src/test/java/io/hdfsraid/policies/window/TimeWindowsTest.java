// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.policies.window;

import static java.time.DayOfWeek.FRIDAY;
import static java.time.DayOfWeek.MONDAY;
import static java.time.DayOfWeek.SATURDAY;
import static java.time.DayOfWeek.SUNDAY;
import static java.time.DayOfWeek.WEDNESDAY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsraid.policies.window.ManualOverride.State;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TimeWindowsTest {
  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
  private static final Set<DayOfWeek> WEEKDAYS = EnumSet.range(MONDAY, FRIDAY);
  private static final WeeklyWindow NIGHTS =
      WeeklyWindow.of(WEEKDAYS, LocalTime.of(22, 0), LocalTime.of(6, 0));
  private static final WeeklyWindow WEEKEND = wholeDays(EnumSet.of(SATURDAY, SUNDAY));

  private static Instant berlin(String local) {
    return LocalDateTime.parse(local).atZone(BERLIN).toInstant();
  }

  private static WeeklyWindow wholeDays(Set<DayOfWeek> days) {
    return new WeeklyWindow(days, LocalTime.MIDNIGHT, Optional.empty(), WeeklyWindow.FULL);
  }

  @Test
  void withoutWindowsItIsAlwaysOpen() {
    assertThat(TimeWindows.NONE.at(Instant.EPOCH))
        .isEqualTo(new WindowState(true, 100, Optional.empty(), "there are no windows"));
    assertThat(TimeWindows.of(List.of(), List.of(), BERLIN)).isEqualTo(TimeWindows.NONE);
  }

  @Test
  void aWindowOverMidnightBelongsToTheDayOnWhichItBegins() {
    TimeWindows windows = TimeWindows.of(List.of(NIGHTS), List.of(), BERLIN);

    assertThat(windows.at(berlin("2026-06-05T23:00")))
        .as("Friday night")
        .isEqualTo(
            new WindowState(
                true,
                100,
                Optional.of(berlin("2026-06-06T06:00")),
                "in the window MON-FRI 22:00-06:00 (Europe/Berlin)"));
    assertThat(windows.at(berlin("2026-06-06T05:59")).open()).as("Saturday morning").isTrue();
    assertThat(windows.at(berlin("2026-06-06T23:00")))
        .as("Saturday night")
        .isEqualTo(
            new WindowState(
                false,
                0,
                Optional.of(berlin("2026-06-08T22:00")),
                "outside all windows (Europe/Berlin)"));
    assertThat(windows.at(berlin("2026-06-08T05:00")).open()).as("Monday morning").isFalse();
  }

  @Test
  void blackoutsBeatWindowsAndTheHighestIntensityCounts() {
    WeeklyWindow slow =
        new WeeklyWindow(EnumSet.of(WEDNESDAY), LocalTime.of(8, 0), Optional.empty(), 20);
    WeeklyWindow fast =
        new WeeklyWindow(
            EnumSet.of(WEDNESDAY), LocalTime.of(12, 0), Optional.of(LocalTime.of(13, 0)), 60);
    WeeklyWindow blackout =
        WeeklyWindow.of(EnumSet.of(WEDNESDAY), LocalTime.of(12, 30), LocalTime.of(14, 0));
    TimeWindows windows = TimeWindows.of(List.of(slow, fast), List.of(blackout), BERLIN);

    assertThat(windows.at(berlin("2026-06-03T11:00")).intensity()).isEqualTo(20);
    assertThat(windows.at(berlin("2026-06-03T11:00")).until()).contains(berlin("2026-06-03T12:00"));
    assertThat(windows.at(berlin("2026-06-03T12:00")).intensity()).isEqualTo(60);
    assertThat(windows.at(berlin("2026-06-03T12:30")))
        .isEqualTo(
            new WindowState(
                false,
                0,
                Optional.of(berlin("2026-06-03T14:00")),
                "in the blackout WED 12:30-14:00 (Europe/Berlin)"));
    assertThat(windows.at(berlin("2026-06-03T23:59")).intensity()).isEqualTo(20);
    assertThat(windows.at(berlin("2026-06-04T00:00")).open()).isFalse();
  }

  @Test
  void bothTheClusterAndThePolicyMustBeOpenAndTheLowerIntensityCounts() {
    TimeWindows cluster = TimeWindows.of(List.of(NIGHTS.at(50), WEEKEND), List.of(), BERLIN);
    TimeWindows policy =
        TimeWindows.of(
            List.of(
                WeeklyWindow.of(TimeWindows.everyDay(), LocalTime.of(0, 0), LocalTime.of(4, 0))
                    .at(80)),
            List.of(),
            ZoneOffset.UTC);
    TimeWindows both = policy.within(cluster);

    assertThat(both.at(berlin("2026-06-05T23:00")).open()).as("before 0 o'clock UTC").isFalse();
    assertThat(both.at(berlin("2026-06-05T23:00")).until()).contains(berlin("2026-06-06T02:00"));
    assertThat(both.at(berlin("2026-06-05T03:00")).intensity()).as("a weekday").isEqualTo(50);
    assertThat(both.at(berlin("2026-06-07T03:00")).intensity()).as("a Sunday").isEqualTo(80);
    assertThat(policy.within(TimeWindows.NONE)).isEqualTo(policy);
  }

  @Test
  void whatNeverChangesHasNoEnd() {
    TimeWindows never =
        TimeWindows.of(List.of(), List.of(wholeDays(TimeWindows.everyDay())), BERLIN);

    assertThat(never.at(berlin("2026-06-05T23:00")).open()).isFalse();
    assertThat(never.at(berlin("2026-06-05T23:00")).until()).isEmpty();
  }

  @Test
  void whatAnOperatorWantsCountsBeforeAllElseAndEnds() {
    TimeWindows windows = TimeWindows.of(List.of(NIGHTS), List.of(), BERLIN);
    Instant noon = berlin("2026-06-05T12:00");
    Instant three = berlin("2026-06-05T15:00");
    Optional<ManualOverride> open = Optional.of(new ManualOverride(State.OPEN, three));

    assertThat(windows.at(noon, open))
        .isEqualTo(
            new WindowState(
                true, 100, Optional.of(three), "an operator wants it open until " + three));
    assertThat(windows.at(three, open)).isEqualTo(windows.at(three));
    assertThat(windows.at(noon, Optional.empty())).isEqualTo(windows.at(noon));
    WindowState closed = windows.at(noon, Optional.of(new ManualOverride(State.CLOSED, three)));
    assertThat(closed.open()).isFalse();
    assertThat(closed.until())
        .as("closed by the windows even after that")
        .contains(berlin("2026-06-05T22:00"));
  }

  /** 29 March 2026: two o'clock is three o'clock. 25 October 2026: three o'clock is two o'clock. */
  @Test
  void theNightsInWhichClocksChangeFollowTheClockOnTheWall() {
    TimeWindows early =
        TimeWindows.of(
            List.of(
                WeeklyWindow.of(EnumSet.of(SUNDAY), LocalTime.of(2, 0), LocalTime.of(2, 45)),
                WeeklyWindow.of(EnumSet.of(SUNDAY), LocalTime.of(4, 30), LocalTime.of(5, 0))),
            List.of(),
            BERLIN);

    assertThat(early.at(berlin("2026-03-29T00:00")).until())
        .as("there is no 2:00 to 2:45 that night")
        .contains(berlin("2026-03-29T04:30"));
    TimeWindows half =
        TimeWindows.of(
            List.of(WeeklyWindow.of(EnumSet.of(SUNDAY), LocalTime.of(2, 30), LocalTime.of(3, 30))),
            List.of(),
            BERLIN);
    assertThat(half.at(berlin("2026-03-29T00:00")).until())
        .as("the clock jumps into it")
        .contains(berlin("2026-03-29T03:00"));
    Instant first = Instant.parse("2026-10-25T00:00:00Z");
    assertThat(early.at(first.minusSeconds(60)).until()).as("2:00 summer time").contains(first);
    assertThat(early.at(first).until()).contains(first.plus(Duration.ofMinutes(45)));
    assertThat(early.at(first.plus(Duration.ofMinutes(45))).until())
        .as("2:00 again")
        .contains(first.plus(Duration.ofHours(1)));
  }

  /**
   * A week on a test clock, minute by minute, beside a model that knows nothing but hands of a
   * clock; ordinary weeks and those in which clocks change.
   */
  @ParameterizedTest
  @ValueSource(strings = {"2026-06-01T00:00", "2026-03-24T00:00", "2026-10-20T00:00"})
  void everyMinuteOfAWeekIsAsANaiveModelSays(String begin) {
    Random random = new Random(begin.hashCode());
    for (int round = 0; round < 4; round++) {
      List<WeeklyWindow> windows = some(random, 3);
      List<WeeklyWindow> blackouts = some(random, 2);
      TimeWindows tested = TimeWindows.of(windows, blackouts, BERLIN);
      Instant start = berlin(begin);
      List<Integer> expected = new ArrayList<>();
      // Two weeks, so that the next change is known at every minute of the first.
      for (int minute = 0; minute < 15 * 24 * 60; minute++) {
        expected.add(naive(windows, blackouts, start.plusSeconds(minute * 60L)));
      }
      int change = expected.size();
      for (int minute = expected.size() - 2; minute >= 0; minute--) {
        if (!expected.get(minute).equals(expected.get(minute + 1))) {
          change = minute + 1;
        }
        if (minute < 7 * 24 * 60) {
          Instant at = start.plusSeconds(minute * 60L);
          WindowState now = tested.at(at);
          assertThat(now.intensity())
              .as("windows %s, blackouts %s at %s", windows, blackouts, at)
              .isEqualTo(expected.get(minute));
          assertThat(now.open()).isEqualTo(expected.get(minute) > 0);
          assertThat(now.until())
              .as("windows %s, blackouts %s at %s", windows, blackouts, at)
              .isEqualTo(
                  change == expected.size()
                      ? Optional.empty()
                      : Optional.of(start.plusSeconds(change * 60L)));
        }
      }
    }
  }

  private static List<WeeklyWindow> some(Random random, int most) {
    List<WeeklyWindow> some = new ArrayList<>();
    for (int i = random.nextInt(most + 1); i > 0; i--) {
      Set<DayOfWeek> days = new TreeSet<>(Set.of(DayOfWeek.of(1 + random.nextInt(7))));
      days.add(SUNDAY.minus(random.nextInt(3)));
      LocalTime from = LocalTime.of(random.nextInt(6), random.nextInt(60));
      LocalTime to =
          random.nextBoolean()
              ? from.plusMinutes(1 + random.nextInt(23 * 60))
              : LocalTime.of(2 + random.nextInt(2), random.nextInt(60));
      some.add(
          new WeeklyWindow(
              days,
              from,
              random.nextInt(5) == 0 || to.equals(from) ? Optional.empty() : Optional.of(to),
              random.nextInt(4) * 33));
    }
    return some;
  }

  /** 0 where it is closed. */
  private static int naive(
      List<WeeklyWindow> windows, List<WeeklyWindow> blackouts, Instant moment) {
    if (blackouts.stream().anyMatch(window -> shows(window, moment))) {
      return 0;
    }
    return windows.isEmpty()
        ? 100
        : windows.stream()
            .filter(window -> shows(window, moment))
            .mapToInt(WeeklyWindow::intensity)
            .max()
            .orElse(0);
  }

  /** By minutes since the week began, as a clock with a calendar shows them. */
  private static boolean shows(WeeklyWindow window, Instant moment) {
    ZonedDateTime local = moment.atZone(BERLIN);
    int week = 7 * 24 * 60;
    int now =
        (local.getDayOfWeek().getValue() - 1) * 24 * 60 + local.getHour() * 60 + local.getMinute();
    int from = window.from().toSecondOfDay() / 60;
    int to = window.to().map(end -> end.toSecondOfDay() / 60).orElse(24 * 60);
    int length = to > from ? to - from : to + 24 * 60 - from;
    return window.days().stream()
        .map(day -> (day.getValue() - 1) * 24 * 60 + from)
        .anyMatch(begin -> Math.floorMod(now - begin, week) < length);
  }

  @Test
  void whatCannotBeAWindowIsRefused() {
    LocalTime noon = LocalTime.NOON;
    assertThatThrownBy(() -> WeeklyWindow.of(WEEKDAYS, noon, noon)).hasMessageContaining("12:00");
    assertThatThrownBy(() -> WEEKEND.at(101)).hasMessageContaining("101");
    assertThatThrownBy(() -> wholeDays(Set.of())).hasMessageContaining("day");
  }

  @Test
  void aWindowIsShownAsItIsWritten() {
    assertThat(NIGHTS).hasToString("MON-FRI 22:00-06:00");
    assertThat(WEEKEND.at(20)).hasToString("SAT,SUN 00:00-24:00 at 20 %");
    assertThat(wholeDays(EnumSet.of(MONDAY, WEDNESDAY, FRIDAY)))
        .hasToString("MON,WED,FRI 00:00-24:00");
    assertThat(TimeWindows.of(List.of(NIGHTS), List.of(WEEKEND), BERLIN))
        .hasToString(
            "MON-FRI 22:00-06:00 (Europe/Berlin), not SAT,SUN 00:00-24:00 (Europe/Berlin)");
  }
}
