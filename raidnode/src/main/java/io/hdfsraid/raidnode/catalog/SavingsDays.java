// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.catalog;

import io.hdfsraid.raidapi.savings.SavingsTrend;
import io.hdfsraid.raidapi.savings.SavingsTrend.Day;
import java.util.ArrayList;
import java.util.List;

/** The savings of raiding on each day: of one day, the last look counts. */
public final class SavingsDays {
  private static final String NOTE = "savings-days";

  /** Ten years. A day takes some 120 bytes of a note that is written once an hour. */
  private static final int MOST = 3_653;

  private final Notes notes;

  public SavingsDays(Catalog catalog) {
    this.notes = catalog.notes();
  }

  /** Returns the days that were looked at, in their order. */
  public SavingsTrend trend() {
    return notes.record(NOTE, SavingsTrend.class).orElse(new SavingsTrend(List.of()));
  }

  /** Adds a look. A day before the last one is ignored: the clock was set back. */
  public void add(Day look) {
    List<Day> days = new ArrayList<>(trend().days());
    if (!days.isEmpty() && days.get(days.size() - 1).day().isAfter(look.day())) {
      return;
    }
    days.removeIf(day -> day.day().equals(look.day()));
    days.add(look);
    notes.record(
        NOTE, new SavingsTrend(days.subList(Math.max(0, days.size() - MOST), days.size())));
  }
}
