// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.catalog;

import io.hdfsraid.raidapi.savings.SavingsTrend;
import io.hdfsraid.raidapi.savings.SavingsTrend.Day;
import io.hdfsraid.raidapi.savings.SavingsTrend.Directory;
import java.io.IOException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The savings of raiding on each day: the last look of a day, and its parts by the first one. */
public final class SavingsDays {
  private static final String NOTE = "savings-days";

  /** Kept apart, so that former versions can read {@link #NOTE}, and this one theirs. */
  private static final String PARTS_NOTE = "savings-parts";

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

  /** The sums of all days, as they are kept. */
  private record Sums(List<SumsOfDay> days) {}

  private record SumsOfDay(
      LocalDate day, long files, long logicalBytes, long physicalBytes, long savedBytes) {
    static SumsOfDay of(Day look) {
      return new SumsOfDay(
          look.day(), look.files(), look.logicalBytes(), look.physicalBytes(), look.savedBytes());
    }
  }

  /** The parts of the last days, as they are kept. */
  private record Parts(List<PartsOfDay> days) {}

  private record PartsOfDay(
      LocalDate day, Map<String, Long> policies, List<Directory> directories) {}

  /** Returns the days that were looked at, in their order. */
  public SavingsTrend trend() {
    Map<LocalDate, PartsOfDay> parts = new HashMap<>();
    parts().forEach(day -> parts.put(day.day(), day));
    return new SavingsTrend(
        sums().stream()
            .map(
                sums -> {
                  PartsOfDay its =
                      parts.getOrDefault(
                          sums.day(), new PartsOfDay(sums.day(), Map.of(), List.of()));
                  return new Day(
                      sums.day(),
                      sums.files(),
                      sums.logicalBytes(),
                      sums.physicalBytes(),
                      sums.savedBytes(),
                      its.policies(),
                      its.directories());
                })
            .toList());
  }

  private List<SumsOfDay> sums() {
    return notes.record(NOTE, Sums.class).map(Sums::days).orElse(List.of());
  }

  private List<PartsOfDay> parts() {
    return notes.record(PARTS_NOTE, Parts.class).map(Parts::days).orElse(List.of());
  }

  /**
   * Adds a look. The first one of a day also counts its parts, in one pass over the raided files. A
   * day before the last one is ignored: the clock was set back.
   */
  public void add(Day look) throws IOException {
    List<SumsOfDay> days = new ArrayList<>(sums());
    if (!days.isEmpty() && days.get(days.size() - 1).day().isAfter(look.day())) {
      return;
    }
    days.removeIf(day -> day.day().equals(look.day()));
    days.add(SumsOfDay.of(look));
    notes.record(NOTE, new Sums(last(MOST, days)));

    List<PartsOfDay> parts = new ArrayList<>(parts());
    if (parts.stream().noneMatch(day -> day.day().equals(look.day()))) {
      parts.add(counted(look.day()));
      parts.removeIf(day -> day.day().isBefore(look.day().minusDays(MOST_WITH_PARTS)));
      notes.record(PARTS_NOTE, new Parts(last(MOST_WITH_PARTS, parts)));
    }
  }

  private static <T> List<T> last(int most, List<T> all) {
    return List.copyOf(all.subList(Math.max(0, all.size() - most), all.size()));
  }

  private PartsOfDay counted(LocalDate day) throws IOException {
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
    return new PartsOfDay(
        day,
        most(policies),
        most(directories).entrySet().stream()
            .map(each -> new Directory(each.getKey(), each.getValue()))
            .toList());
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
