// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.raidapi.savings.SavingsTrend.Day;
import java.nio.file.Path;
import java.time.Clock;
import java.time.LocalDate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SavingsDaysTest {
  private static final LocalDate FIRST = LocalDate.of(2026, 2, 28);

  @TempDir Path folder;
  private Catalog catalog;
  private SavingsDays days;

  @BeforeEach
  void open() {
    catalog = Catalog.open(folder.resolve("catalog"), Clock.systemUTC());
    days = new SavingsDays(catalog);
  }

  @AfterEach
  void close() {
    catalog.close();
  }

  private static Day day(int after, long saved) {
    return new Day(FIRST.plusDays(after), 1, 10, 14, saved);
  }

  @Test
  void ofEachDayTheLastLookCounts() {
    assertThat(days.trend().days()).isEmpty();
    days.add(day(0, 1));
    days.add(day(0, 2));
    days.add(day(1, 3));

    assertThat(new SavingsDays(catalog).trend().days()).containsExactly(day(0, 2), day(1, 3));
  }

  @Test
  void aClockThatIsSetBackChangesNothing() {
    days.add(day(5, 1));
    days.add(day(4, 2));

    assertThat(days.trend().days()).containsExactly(day(5, 1));
  }

  @Test
  void theyAreBoundedAndTheOldestGo() {
    for (int i = 0; i < 3_660; i++) {
      days.add(day(i, i));
    }
    assertThat(days.trend().days()).hasSize(3_653).first().isEqualTo(day(7, 7));
  }
}
