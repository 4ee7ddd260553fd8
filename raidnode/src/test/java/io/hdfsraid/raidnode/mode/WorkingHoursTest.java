// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.mode;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.policies.PathGlob;
import io.hdfsraid.policies.Policies;
import io.hdfsraid.policies.Policy;
import io.hdfsraid.policies.Protection;
import io.hdfsraid.policies.window.ManualOverride;
import io.hdfsraid.policies.window.TimeWindows;
import io.hdfsraid.policies.window.WeeklyWindow;
import io.hdfsraid.policies.window.WindowState;
import io.hdfsraid.raidnode.catalog.Catalog;
import java.nio.file.Path;
import java.time.Clock;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A week passes on a clock that tests set. */
class WorkingHoursTest {
  private static final Instant MONDAY = Instant.parse("2026-11-16T00:00:00Z");
  private static final Policy ANY =
      new Policy(
          "any",
          List.of(PathGlob.of("/")),
          List.of(),
          Duration.ZERO,
          Duration.ZERO,
          0,
          new Protection("rs-10-4", 1, 1),
          Optional.empty());

  /** Nights of working days at half speed, and no Wednesday: the accounts are closed then. */
  private static final Policies POLICIES =
      new Policies(
          List.of(ANY),
          List.of(),
          0,
          TimeWindows.of(
              List.of(window(EnumSet.range(DayOfWeek.MONDAY, DayOfWeek.FRIDAY), "22:00", "06:00")),
              List.of(window(EnumSet.of(DayOfWeek.WEDNESDAY), "00:00", "24:00")),
              ZoneOffset.UTC));

  @TempDir private Path folder;
  private Catalog catalog;
  private Instant now = MONDAY;

  private final Clock clock =
      new Clock() {
        @Override
        public ZoneId getZone() {
          return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
          throw new UnsupportedOperationException();
        }

        @Override
        public Instant instant() {
          return now;
        }
      };

  @BeforeEach
  void open() {
    catalog = Catalog.open(folder, clock);
  }

  @AfterEach
  void close() {
    catalog.close();
  }

  private static WeeklyWindow window(EnumSet<DayOfWeek> days, String from, String to) {
    return new WeeklyWindow(
        days,
        LocalTime.parse(from),
        to.equals("24:00") ? Optional.empty() : Optional.of(LocalTime.parse(to)),
        50);
  }

  private WindowState hours() {
    return new WorkingHours(catalog.notes(), clock).of(POLICIES, ANY);
  }

  @Test
  void aWeekHasItsNightsAndNoWednesday() {
    Duration open = Duration.ZERO;
    for (int minute = 0; minute < 7 * 24 * 60; minute++) {
      now = MONDAY.plus(Duration.ofMinutes(minute));
      boolean wednesday = now.atZone(ZoneOffset.UTC).getDayOfWeek() == DayOfWeek.WEDNESDAY;
      int hour = now.atZone(ZoneOffset.UTC).getHour();
      WindowState here = hours();
      if (here.open()) {
        open = open.plusMinutes(1);
        assertThat(wednesday).as("%s", now).isFalse();
        assertThat(hour >= 22 || hour < 6).as("%s", now).isTrue();
        assertThat(here.intensity()).isEqualTo(50);
      }
    }
    // Evenings of Monday, Tuesday, Thursday and Friday; mornings of Tuesday, and from Thursday,
    // which
    // the night of Wednesday reaches into, to Saturday.
    assertThat(open).isEqualTo(Duration.ofHours((4 * 2) + (4 * 6)));
  }

  @Test
  void whatAnOperatorWantsCountsForItsHoursAlsoAfterARestart() {
    now = MONDAY.plus(Duration.ofHours(12));
    assertThat(hours().open()).isFalse();
    WorkingHours hours = new WorkingHours(catalog.notes(), clock);
    hours.override(new ManualOverride(ManualOverride.State.OPEN, now.plus(Duration.ofHours(2))));
    catalog.close();
    catalog = Catalog.open(folder, clock);

    assertThat(hours().open()).isTrue();
    assertThat(hours().intensity()).isEqualTo(100);
    now = MONDAY.plus(Duration.ofHours(14));
    assertThat(hours().open()).isFalse();

    now = MONDAY.plus(Duration.ofHours(23));
    new WorkingHours(catalog.notes(), clock)
        .override(new ManualOverride(ManualOverride.State.CLOSED, now.plus(Duration.ofHours(2))));
    assertThat(hours().open()).isFalse();
    new WorkingHours(catalog.notes(), clock).follow();
    assertThat(hours().open()).isTrue();
  }
}
