// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.catalog;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsraid.recency.rocksdb.DatabaseException;
import io.hdfsraid.recency.rocksdb.TableStore;
import io.hdfsraid.recency.source.Timestamps;
import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;

class CatalogTest {
  private static final Clock CLOCK = Clock.fixed(Samples.NOW, ZoneOffset.UTC);

  @TempDir Path folder;

  private Catalog open() {
    return Catalog.open(folder.resolve("catalog"), CLOCK);
  }

  @Test
  void whatWasWrittenIsThereAfterReopening() {
    try (Catalog catalog = open()) {
      catalog.files().put(Samples.everyFieldSet());
      catalog.repairs().put(Samples.repair(16_400, 3));
      catalog.history().add(Samples.outcome(Samples.NOW, "/a"));
      catalog.notes().instant(Timestamps.TRACKING_START, Samples.NOW);
      catalog.bindTo("CID-1/BP-1");
    }
    try (Catalog catalog = open()) {
      assertThat(catalog.files().find(16_387)).contains(Samples.everyFieldSet());
      assertThat(catalog.files().find(1)).isEmpty();
      assertThat(catalog.repairs().find(new StripeKey(16_400, 3)))
          .contains(Samples.repair(16_400, 3));
      assertThat(catalog.history().newest(Optional.empty(), outcome -> true, 10, 10))
          .extracting(History.Line::outcome)
          .containsExactly(Samples.outcome(Samples.NOW, "/a"));
      assertThat(catalog.notes().instant(Timestamps.TRACKING_START)).contains(Samples.NOW);
      assertThat(catalog.notes().instant(Notes.LAST_SCAN)).isEmpty();
      catalog.bindTo("CID-1/BP-1");
      catalog.probe();
    }
  }

  @Test
  void aSecondOpeningNamesWhoHoldsIt() {
    try (Catalog first = open()) {
      first.probe();
      assertThatThrownBy(this::open)
          .isInstanceOf(DatabaseException.class)
          .hasMessageContaining("is in use by process " + ProcessHandle.current().pid())
          .hasMessageContaining("since " + Samples.NOW);
    }
    open().close();
  }

  @Test
  void aSecondProcessIsToldWhoHoldsIt() throws Exception {
    try (Catalog first = open()) {
      first.probe();
      Process other =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-cp",
                  System.getProperty("java.class.path"),
                  OpensACatalog.class.getName(),
                  folder.resolve("catalog").toString())
              .redirectErrorStream(true)
              .start();
      String said = new String(other.getInputStream().readAllBytes(), UTF_8);
      assertThat(other.waitFor(30, TimeUnit.SECONDS)).isTrue();
      assertThat(said).contains("is in use by process " + ProcessHandle.current().pid());
    }
  }

  /** Run as a process of its own. */
  static final class OpensACatalog {
    private OpensACatalog() {}

    public static void main(String[] args) {
      try (Catalog catalog = Catalog.open(Path.of(args[0]), Clock.systemUTC())) {
        catalog.probe();
        System.out.println("opened");
      } catch (DatabaseException e) {
        System.out.println(e.getMessage());
      }
    }
  }

  @Test
  void aFolderOfSomethingElseIsLeftAlone() throws IOException {
    Path precious = Files.createDirectories(folder.resolve("catalog")).resolve("thesis.tex");
    Files.writeString(precious, "...");
    assertThatThrownBy(this::open)
        .isInstanceOf(DatabaseException.class)
        .hasMessageContaining("is not empty and holds no catalog: choose an empty one");
    try (Stream<Path> entries = Files.list(folder.resolve("catalog"))) {
      assertThat(entries).containsExactly(precious);
    }
  }

  @Test
  void aFileInPlaceOfTheFolderIsNamed() throws IOException {
    Files.writeString(folder.resolve("catalog"), "");
    assertThatThrownBy(this::open)
        .isInstanceOf(DatabaseException.class)
        .hasMessageContaining("cannot be made")
        .hasMessageContaining("is a file");
  }

  @Test
  void aDamagedCatalogSaysThatItMayBeDeleted() throws IOException {
    open().close();
    for (File manifest :
        folder.resolve("catalog").toFile().listFiles((f, name) -> name.startsWith("MANIFEST"))) {
      try (RandomAccessFile file = new RandomAccessFile(manifest, "rw")) {
        file.seek(20);
        file.write(new byte[60]);
      }
    }
    assertThatThrownBy(this::open)
        .isInstanceOf(DatabaseException.class)
        .hasMessageContaining("cannot be read")
        .hasMessageEndingWith("Delete the folder: it will be rebuilt from HDFS.");
  }

  @Test
  void aDatabaseOfSomethingElseIsNotTouched() throws Exception {
    Path path = folder.resolve("catalog");
    RocksDB.loadLibrary();
    try (Options options = new Options().setCreateIfMissing(true);
        RocksDB db = RocksDB.open(options, path.toString())) {
      db.createColumnFamily(new ColumnFamilyDescriptor("other".getBytes(UTF_8))).close();
    }
    assertThatThrownBy(this::open).hasMessageContaining("it was not written by HDFS-RAID");
  }

  @Test
  void aNewerFormatSaysThatItMayBeDeleted() {
    try (TableStore store = openStore()) {
      store.put(Tables.META, "format", "7");
    }
    assertThatThrownBy(this::open)
        .hasMessageContaining("it has format 7 and this version reads format 6")
        .hasMessageEndingWith("Delete the folder: it will be rebuilt from HDFS.");
  }

  private TableStore openStore() {
    open().close();
    return TableStore.open(folder.resolve("catalog"), "catalog", Catalog.MEMORY, Tables.ALL);
  }

  @Test
  void aCatalogOfAnotherClusterIsRefused() {
    try (Catalog catalog = open()) {
      catalog.bindTo("CID-1/BP-1");
      assertThatThrownBy(() -> catalog.bindTo("CID-2/BP-9"))
          .hasMessageContaining("it is about cluster CID-1/BP-1 and this is CID-2/BP-9")
          .hasMessageEndingWith("Delete the folder: it will be rebuilt from HDFS.");
    }
  }

  @Test
  void aSearchThatLooksAtManyLinesIsCutOffAndGoesOn() {
    try (Catalog catalog = open()) {
      for (int i = 0; i < 25; i++) {
        catalog.history().add(Samples.outcome(Samples.NOW.plusMillis(i), "/" + i));
      }
      History.Span ever = History.Span.EVER;
      var first = catalog.history().search(Optional.empty(), ever, line -> false, 10, 10);
      assertThat(first.lines()).isEmpty();
      var second =
          catalog.history().search(first.next(), ever, line -> line.path().equals("/0"), 10, 100);
      assertThat(second.lines()).hasSize(1);
      assertThat(second.next()).isEmpty();
    }
  }

  @Test
  void theHistoryIsReadBackwardsPageByPage() {
    try (Catalog catalog = open()) {
      for (int i = 0; i < 25; i++) {
        // Three to a millisecond.
        catalog.history().add(Samples.outcome(Samples.NOW.plusMillis(i / 3), "/" + i));
      }
      Optional<String> before = Optional.empty();
      StringBuilder read = new StringBuilder();
      for (int page = 0; page < 3; page++) {
        var lines = catalog.history().newest(before, outcome -> true, 10, 1000);
        lines.forEach(line -> read.append(line.outcome().path()));
        before = Optional.of(lines.get(lines.size() - 1).place());
      }
      StringBuilder expected = new StringBuilder();
      for (int i = 24; i >= 0; i--) {
        expected.append('/').append(i);
      }
      assertThat(read).hasToString(expected.toString());
      assertThat(catalog.history().newest(before, outcome -> true, 10, 1000)).isEmpty();
      assertThatThrownBy(
              () -> catalog.history().newest(Optional.of("soon"), outcome -> true, 10, 10))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void theHistoryForgetsWhatIsOldAndWhatIsTooMuch() {
    try (Catalog catalog = open()) {
      Instant start = Instant.EPOCH;
      for (int i = 0; i < 100; i++) {
        catalog.history().add(Samples.outcome(start.plusSeconds(i), "/" + i));
      }
      catalog.history().trim(start.plusSeconds(40), 1000);
      assertThat(paths(catalog)).hasSize(60).startsWith("/99").endsWith("/40");
      catalog.history().trim(start.plusSeconds(40), 10);
      assertThat(paths(catalog)).hasSize(10).startsWith("/99").endsWith("/90");
      catalog.history().trim(start.plusSeconds(1000), 10);
      assertThat(paths(catalog)).isEmpty();
    }
  }

  private static java.util.List<String> paths(Catalog catalog) {
    return catalog.history().newest(Optional.empty(), outcome -> true, 1000, 1000).stream()
        .map(line -> line.outcome().path())
        .toList();
  }

  @Test
  void repairsAreListedPageByPage() {
    try (Catalog catalog = open()) {
      for (int i = 0; i < 10; i++) {
        catalog.repairs().put(Samples.repair(100 + i / 4, i % 4));
      }
      catalog.repairs().remove(new StripeKey(100, 2));
      var first = catalog.repairs().list(Optional.empty(), 6);
      assertThat(first).extracting(RepairState::stripe).doesNotContain(new StripeKey(100, 2));
      var second = catalog.repairs().list(Optional.of(first.get(5).stripe()), 6);
      assertThat(second).hasSize(3);
      assertThat(second.get(2).stripe()).isEqualTo(new StripeKey(102, 1));
    }
  }
}
