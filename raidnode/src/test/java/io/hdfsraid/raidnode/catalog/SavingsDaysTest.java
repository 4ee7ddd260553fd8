// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.policies.FileFacts;
import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidapi.savings.SavingsTrend.Day;
import io.hdfsraid.raidapi.savings.SavingsTrend.Directory;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SavingsDaysTest {
  private static final Instant NOW = Instant.parse("2026-02-28T00:00:00Z");
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

  private void raided(long inode, String path, String policy, int parityBytes) {
    FileFacts facts = FileFacts.of(path, inode, 100, 100, 1, NOW);
    catalog
        .files()
        .put(
            new FileRecord(
                facts,
                FileProgress.of(FileState.RAIDED, policy, NOW),
                Optional.of(new Parity("rs-6-3", 3, 1, 1, 1, parityBytes)),
                NOW));
  }

  private static Day day(int after, long saved) {
    return day(after, saved, Map.of(), List.of());
  }

  private static Day day(
      int after, long saved, Map<String, Long> policies, List<Directory> directories) {
    return new Day(FIRST.plusDays(after), 1, 10, 14, saved, policies, directories);
  }

  @Test
  void ofEachDayTheLastLookCounts() throws IOException {
    assertThat(days.trend().days()).isEmpty();
    days.add(day(0, 1));
    days.add(day(0, 2));
    days.add(day(1, 3));

    assertThat(new SavingsDays(catalog).trend().days()).containsExactly(day(0, 2), day(1, 3));
  }

  private static String asFormerVersionsWroteIt(Day day) {
    return """
        {"day":"%s","files":1,"logicalBytes":10,"physicalBytes":14,"savedBytes":%d}"""
        .formatted(day.day(), day.savedBytes());
  }

  @Test
  void whatAFormerVersionWroteIsReadAndAFormerVersionReadsWhatThisOneWrites() throws IOException {
    String before = "{\"days\":[" + asFormerVersionsWroteIt(day(0, 7)) + "]}";
    catalog.notes().text("savings-days", before);
    assertThat(days.trend().days()).containsExactly(day(0, 7));

    days.add(day(0, 7));
    assertThat(catalog.notes().text("savings-days")).contains(before);
  }

  @Test
  void theFirstLookOfADayCountsWhatPoliciesAndDirectoriesSave() throws IOException {
    raided(1, "/a/b/c/1", "cold", 50);
    raided(2, "/a/2", "cold", 60);
    raided(3, "/a/b/3", "", 10);
    days.add(day(0, 480));
    raided(4, "/d/4", "cold", 0);
    days.add(day(0, 680));
    days.add(day(1, 680));

    assertThat(days.trend().days())
        .containsExactly(
            day(
                0,
                680,
                Map.of("cold", 290L, "(unknown)", 190L),
                List.of(new Directory("/a/b", 340), new Directory("/a", 140))),
            day(
                1,
                680,
                Map.of("cold", 490L, "(unknown)", 190L),
                List.of(
                    new Directory("/a/b", 340),
                    new Directory("/d", 200),
                    new Directory("/a", 140))));
    days.add(day(401, 680));
    assertThat(days.trend().days().get(0)).isEqualTo(day(0, 680));
    assertThat(days.trend().days().get(1).policies()).isNotEmpty();
  }

  @Test
  void onlyThePartsThatSaveMostAreKept() throws IOException {
    for (int i = 1; i <= 30; i++) {
      raided(i, "/all/d%02d/f".formatted(i), "p%02d".formatted(i), 100 - i);
    }
    days.add(day(0, 1));

    Day counted = days.trend().days().get(0);
    assertThat(counted.policies()).hasSize(20).containsKey("p11").doesNotContainKey("p10");
    assertThat(counted.directories())
        .hasSize(20)
        .startsWith(new Directory("/all/d30", 130), new Directory("/all/d29", 129));
  }

  @Test
  void aClockThatIsSetBackChangesNothing() throws IOException {
    days.add(day(5, 1));
    days.add(day(4, 2));

    assertThat(days.trend().days()).containsExactly(day(5, 1));
  }

  @Test
  void theyAreBoundedAndTheOldestGo() throws IOException {
    catalog
        .notes()
        .text(
            "savings-days",
            IntStream.range(0, 3_659)
                .mapToObj(i -> asFormerVersionsWroteIt(day(i, i)))
                .collect(Collectors.joining(",", "{\"days\":[", "]}")));
    days.add(day(3_659, 3_659));
    assertThat(days.trend().days()).hasSize(3_653).first().isEqualTo(day(7, 7));
  }
}
