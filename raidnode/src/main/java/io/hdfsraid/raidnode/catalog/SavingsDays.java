// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.catalog;

import io.hdfsraid.raidapi.savings.SavingsTrend;
import io.hdfsraid.raidapi.savings.SavingsTrend.Day;
import java.io.IOException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The savings of raiding on each day: of one day, the last look counts. */
public final class SavingsDays {
  private static final String NOTE = "savings-days";

  /** Ten years. A day takes some 120 bytes of a note that is written once an hour. */
  private static final int MOST = 3_653;

  /** Days with parts. They take some kilobytes each. */
  private static final int MOST_WITH_PARTS = 400;

  /** Most policies, and most directories, of a day. */
  private static final int MOST_PARTS = 20;

  /** Most directories to count; files of further ones are counted for no directory. */
  private static final int MOST_COUNTED = 10_000;

  private static final int LEVEL = 2;

  private final Notes notes;
  private final KnownFiles files;

  public SavingsDays(Catalog catalog) {
    this.notes = catalog.notes();
    this.files = catalog.files();
  }

  /** Returns the days that were looked at, in their order. */
  public SavingsTrend trend() {
    return notes.record(NOTE, SavingsTrend.class).orElse(new SavingsTrend(List.of()));
  }

  /**
   * Adds a look. The first one of a day also counts its parts, in one pass over the raided files. A
   * day before the last one is ignored: the clock was set back.
   */
  public void add(Day look) throws IOException {
    List<Day> days = new ArrayList<>(trend().days());
    if (!days.isEmpty() && days.get(days.size() - 1).day().isAfter(look.day())) {
      return;
    }
    Day last = days.isEmpty() ? null : days.get(days.size() - 1);
    if (last != null && last.day().equals(look.day())) {
      days.remove(last);
      days.add(
          last.policies().isEmpty()
              ? counted(look)
              : look.with(last.policies(), last.directories()));
    } else {
      days.add(counted(look));
    }
    LocalDate old = look.day().minusDays(MOST_WITH_PARTS);
    days.replaceAll(day -> day.day().isBefore(old) ? day.with(Map.of(), Map.of()) : day);
    notes.record(
        NOTE, new SavingsTrend(days.subList(Math.max(0, days.size() - MOST), days.size())));
  }

  private Day counted(Day look) throws IOException {
    Map<String, Long> policies = new HashMap<>();
    Map<String, Long> directories = new HashMap<>();
    files.forEachRaidedBelow(
        "/",
        file -> {
          long saved = Total.of(file).savedBytes();
          policies.merge(policyOf(file), saved, Long::sum);
          String directory = KnownFiles.directoryOf(file.facts().path(), "/", LEVEL);
          if (directories.size() < MOST_COUNTED || directories.containsKey(directory)) {
            directories.merge(directory, saved, Long::sum);
          }
        });
    return look.with(most(policies), most(directories));
  }

  /** Returns the policy or the operator that has raided a file, for people. */
  public static String policyOf(FileRecord file) {
    String by = file.progress().by();
    return by.isEmpty() ? "(unknown)" : by;
  }

  private static Map<String, Long> most(Map<String, Long> saved) {
    Map<String, Long> most = new LinkedHashMap<>();
    saved.entrySet().stream()
        .sorted(
            Map.Entry.<String, Long>comparingByValue(Comparator.reverseOrder())
                .thenComparing(Map.Entry.comparingByKey()))
        .limit(MOST_PARTS)
        .forEach(part -> most.put(part.getKey(), part.getValue()));
    return most;
  }
}
