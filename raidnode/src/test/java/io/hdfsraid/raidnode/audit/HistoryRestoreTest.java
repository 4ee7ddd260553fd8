// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.raidnode.access.Cause;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.History;
import io.hdfsraid.raidnode.catalog.HistoryRecord;
import io.hdfsraid.raidnode.schedule.KnownTrouble;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Completes the history of a daemon by that of the one before it on another machine. */
class HistoryRestoreTest {
  private static final Instant NOW = Instant.parse("2029-06-01T00:00:00Z");
  private static final Clock CLOCK = Clock.fixed(NOW, ZoneOffset.UTC);
  private static final HistoryRestore.Limits LIMITS =
      new HistoryRestore.Limits(Duration.ofDays(30), 100);

  @TempDir Path folder;

  private final AuditFilesInMemory files = new AuditFilesInMemory();

  private Catalog catalog(String name) {
    return Catalog.open(folder.resolve(name), CLOCK);
  }

  /** Is the active daemon once, as the one of an epoch. */
  private void work(Catalog catalog, long epoch, HistoryRecord... lines) throws IOException {
    work(catalog, epoch, LIMITS, lines);
  }

  private void work(
      Catalog catalog, long epoch, HistoryRestore.Limits limits, HistoryRecord... lines)
      throws IOException {
    AuditArchive archive =
        new AuditArchive(
            files,
            new AuditArchive.Limits(1_000_000, 100, 1_000_000),
            KnownTrouble.NONE,
            Clock.fixed(NOW.plusSeconds(epoch), ZoneOffset.UTC));
    AuditRecorder recorder = new AuditRecorder(Optional.of(archive), "cold"::equals);
    catalog.history().inEpoch(() -> epoch);
    catalog.history().onAdd(recorder::acted);
    for (HistoryRecord line : lines) {
      catalog.history().add(line);
    }
    archive.write();
    new HistoryRestore(files, catalog.history(), catalog.notes(), epoch, limits, CLOCK).run();
  }

  private static HistoryRecord line(Instant at, String path, String by) {
    return new HistoryRecord(
        at, "raided", Optional.of(7L), path, true, by, "3 stripes", 10, 4, Cause.NONE, "", "", 0);
  }

  private static List<HistoryRecord> lines(Catalog catalog) {
    return catalog.history().newest(Optional.empty(), any -> true, 100, 100).stream()
        .map(History.Line::outcome)
        .toList();
  }

  private static List<String> paths(Catalog catalog) {
    return lines(catalog).stream().map(HistoryRecord::path).toList();
  }

  @Test
  void aLineComesBackWithAllItSays() throws IOException {
    HistoryRecord strange =
        new HistoryRecord(
            NOW,
            "unraided",
            Optional.empty(),
            "/a \"b\"\\c\n\u202e\udb40\udc41é",
            false,
            "alice (unproven)",
            "it's \\u0041",
            1,
            0,
            new Cause("5f3a", "because"),
            "raided, replication 1",
            "left",
            0);
    try (Catalog one = catalog("one");
        Catalog other = catalog("other")) {
      work(one, 1, strange, line(NOW, "/b", "cold"), line(NOW, "/c", "repair"));
      work(other, 2);
      assertThat(lines(other)).containsExactlyInAnyOrderElementsOf(lines(one)).hasSize(3);
      assertThat(lines(other)).allMatch(line -> line.epoch() == 1);
    }
  }

  @Test
  void daemonsThatTakeTurnsKnowAllThatWasDone() throws IOException {
    try (Catalog one = catalog("one");
        Catalog other = catalog("other")) {
      work(one, 1, line(NOW.minusSeconds(3), "/1", "cold"));
      work(other, 2, line(NOW.minusSeconds(2), "/2", "cold"));
      work(other, 3, line(NOW.minusSeconds(1), "/3", "cold"));
      work(one, 4, line(NOW, "/4", "cold"));
      assertThat(paths(other)).containsExactly("/3", "/2", "/1");
      assertThat(paths(one)).containsExactly("/4", "/3", "/2", "/1");
      assertThat(lines(one)).extracting(HistoryRecord::epoch).containsExactly(4L, 3L, 2L, 1L);
    }
  }

  @Test
  void aDaemonThatIsRestartedReadsNothing() throws IOException {
    try (Catalog one = catalog("one")) {
      work(one, 1, line(NOW, "/1", "cold"));
      work(one, 2, line(NOW, "/2", "cold"));
      assertThat(files.reads).isZero();
      assertThat(paths(one)).containsExactly("/2", "/1");
    }
  }

  @Test
  void aRestoreThatFailedAddsNoLineTwice() throws IOException {
    try (Catalog one = catalog("one");
        Catalog other = catalog("other")) {
      work(one, 1, line(NOW, "/1", "cold"));
      work(one, 2, line(NOW, "/2", "cold"));
      HistoryRestore restore =
          new HistoryRestore(files, other.history(), other.notes(), 3, LIMITS, CLOCK);
      files.away = true;
      restore.run();
      assertThat(paths(other)).isEmpty();
      files.away = false;
      other.history().restore(lines(one).get(0)); // as far as the first attempt came
      restore.run();
      assertThat(paths(other)).containsExactlyInAnyOrder("/1", "/2");
      files.away = true;
      restore.run(); // it is done, so nothing is asked
    }
  }

  @Test
  void aLineThatWasCutIsLeftOut() throws IOException {
    try (Catalog one = catalog("one");
        Catalog other = catalog("other")) {
      work(one, 1, line(NOW, "/1", "cold"), line(NOW, "/2", "cold"));
      files.content.replaceAll((name, text) -> text.substring(0, text.length() - 9));
      work(other, 2);
      assertThat(paths(other)).containsExactly("/1");
    }
  }

  @Test
  void aFileThatCannotBeReadIsLeftOutAtLast() throws IOException {
    try (Catalog one = catalog("one");
        Catalog other = catalog("other")) {
      work(one, 1, line(NOW, "/1", "cold"));
      work(one, 2, line(NOW, "/2", "cold"));
      files.unreadable = files.content.lastKey();
      HistoryRestore restore =
          new HistoryRestore(files, other.history(), other.notes(), 3, LIMITS, CLOCK);
      for (int attempt = 0; attempt < 10; attempt++) {
        restore.run();
        assertThat(paths(other)).isEmpty();
      }
      restore.run();
      assertThat(paths(other)).containsExactly("/1");
    }
  }

  @Test
  void anEmptyFileEndsNothing() throws IOException {
    try (Catalog one = catalog("one");
        Catalog other = catalog("other")) {
      work(one, 1, line(NOW, "/1", "cold"));
      files.content.put(
          AuditArchive.Series.ACTIONS.fileName(NOW.plusSeconds(9)),
          "{\"at\":\"2029-"); // a cut line
      work(other, 2);
      assertThat(paths(other)).containsExactly("/1");
    }
  }

  @Test
  void onlyTheNewestLinesAreLookedAt() throws IOException {
    try (Catalog one = catalog("one");
        Catalog other = catalog("other")) {
      work(one, 1, line(NOW.minus(Duration.ofDays(31)), "/old", "cold"), line(NOW, "/1", "cold"));
      work(one, 2, line(NOW, "/2", "cold"), line(NOW, "/3", "cold"));
      work(other, 3, new HistoryRestore.Limits(Duration.ofDays(30), 3));
      assertThat(paths(other)).containsExactlyInAnyOrder("/1", "/2", "/3");
      try (Catalog third = catalog("third")) {
        work(third, 4, new HistoryRestore.Limits(Duration.ofDays(30), 1));
        assertThat(paths(third)).containsExactly("/3");
      }
    }
  }

  @Test
  void aCountThatBeganAnewIsNoticed() throws IOException {
    try (Catalog one = catalog("one");
        Catalog other = catalog("other")) {
      work(other, 57);
      files.content.clear(); // the root was removed
      work(one, 1, line(NOW, "/1", "cold"));
      work(other, 2);
      assertThat(paths(other)).containsExactly("/1");
    }
  }
}
