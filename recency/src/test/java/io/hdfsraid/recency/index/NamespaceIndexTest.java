// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.offset;

import io.hdfsraid.recency.namespace.Access;
import io.hdfsraid.recency.namespace.FileAttributes;
import io.hdfsraid.recency.namespace.Image;
import io.hdfsraid.recency.namespace.Inode;
import io.hdfsraid.recency.namespace.Inode.Snapshots;
import io.hdfsraid.recency.namespace.NamespaceEvent;
import io.hdfsraid.recency.namespace.Watermark;
import io.hdfsraid.recency.rocksdb.DatabaseException;
import io.hdfsraid.recency.rocksdb.DatabaseFolder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NamespaceIndexTest {
  private static final long NOW = 1_700_000_000_000L;
  private static final long DAY = 86_400_000;

  @TempDir private Path folder;

  private NamespaceIndex open() {
    return NamespaceIndex.open(folder, Clock.systemUTC());
  }

  private static Inode.File file(long id, String name, long used) {
    return new Inode.File(
        id, name, new FileAttributes(10, 128, 1, 3, used, 0, "u", "g", 0, Set.of()));
  }

  private static Inode.Directory directory(long id, String name, Snapshots snapshots, int policy) {
    return new Inode.Directory(id, name, "u", "g", policy, snapshots);
  }

  /** /cold (storage policy 2, snapshots) with so many files, one older than the other. */
  private static Image image(long transaction, int files) {
    return new Image() {
      @Override
      public long transaction() {
        return transaction;
      }

      @Override
      public long inodes() {
        return files + 2L;
      }

      @Override
      public void read(Visitor visitor) {
        visitor.inode(directory(Inode.ROOT, "", Snapshots.NONE, 0));
        visitor.inode(directory(20_000, "cold", Snapshots.TAKEN, 2));
        visitor.place(20_000, Inode.ROOT);
        for (int i = 0; i < files; i++) {
          visitor.place(30_000 + i, 20_000);
          visitor.inode(file(30_000 + i, "f" + i, NOW - i * DAY));
        }
      }
    };
  }

  private static RebuildResult rebuild(NamespaceIndex index, Image image) {
    try {
      return index.rebuild(image, (phase, inodes) -> {});
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<Long> coldest(NamespaceIndex index, int most) {
    List<Long> ids = new ArrayList<>();
    index.coldestFirst(
        file -> {
          ids.add(file.inode());
          return ids.size() < most ? ColdFileVisitor.keep() : ColdFileVisitor.stop();
        });
    return ids;
  }

  @Test
  void whatDirectoriesPassOnToFilesIsKnown() {
    try (NamespaceIndex index = open()) {
      assertThat(index.files()).isZero();
      rebuild(index, image(5, 3));
      assertThat(index.files()).isPositive();
      assertThat(index.files()).isEqualTo(3);
      IndexedFile file = index.at("/cold/f1").orElseThrow();
      assertThat(file.belowSnapshots()).isTrue();
      assertThat(file.attributes().storagePolicy()).isEqualTo(2);
      assertThat(coldest(index, 2)).containsExactly(30_002L, 30_001L);
    }
  }

  @Test
  void aFolderThatCannotBeUsedSaysWhatToDo() throws IOException {
    open().close();
    try (NamespaceIndex index = open()) {
      assertThatThrownBy(this::open)
          .isInstanceOf(DatabaseException.class)
          .hasMessageContaining("is in use by process " + ProcessHandle.current().pid());
      assertThat(index.files()).isZero();
    }
    Path current = folder.resolve("current");
    String text = Files.readString(current);
    Files.writeString(current, text.replace("format 2", "format 99"));
    assertThatThrownBy(this::open)
        .hasMessageContaining("format 99")
        .hasMessageContaining("Delete the folder");
    Files.writeString(current, "");
    assertThatThrownBy(this::open).hasMessageContaining("Delete the folder");
    Files.writeString(current, text);
    try (Stream<Path> files = Files.list(folder.resolve("generation-1"))) {
      for (Path file : files.filter(each -> each.toString().contains("MANIFEST")).toList()) {
        Files.write(file, new byte[100]);
      }
    }
    assertThatThrownBy(this::open)
        .isInstanceOf(DatabaseException.class)
        .hasMessageContaining("Delete the folder");
    Path other = Files.createDirectories(folder.resolve("other"));
    Files.writeString(other.resolve("mine"), "");
    assertThatThrownBy(() -> NamespaceIndex.open(other, Clock.systemUTC()))
        .hasMessageContaining("choose an empty one");
    assertThatThrownBy(() -> NamespaceIndex.open(current, Clock.systemUTC()))
        .hasMessageContaining("is a file");
  }

  @Test
  void aDamagedEntryIsNamed() {
    try (NamespaceIndex index = open()) {
      rebuild(index, image(5, 1));
      index.write(
          generation -> {
            generation.database().put(Column.FILES, Keys.inode(30_000), new byte[] {0x7f});
            return 0;
          });
      assertThatThrownBy(() -> index.file(30_000))
          .isInstanceOf(DatabaseException.class)
          .hasMessageContaining("an entry of files is damaged")
          .hasMessageContaining("Delete the folder");
    }
  }

  @Test
  void aRebuildThatFailsLeavesTheIndexAsItWas() {
    try (NamespaceIndex index = open()) {
      rebuild(index, image(5, 3));
      Image torn =
          new Image() {
            @Override
            public long transaction() {
              return 9;
            }

            @Override
            public long inodes() {
              return 0;
            }

            @Override
            public void read(Visitor visitor) throws IOException {
              visitor.inode(file(1, "x", NOW));
              throw new IOException("cut short at 77");
            }
          };
      assertThatThrownBy(() -> index.rebuild(torn, (phase, inodes) -> {}))
          .hasMessage("cut short at 77");
      assertThat(index.transaction()).hasValue(5);
      assertThat(coldest(index, 9)).containsExactly(30_002L, 30_001L, 30_000L);
      assertThat(folder.resolve("generation-3")).doesNotExist();
    }
  }

  @Test
  void aProcessThatEndsInARebuildLeavesOneGenerationThatIsWhole() throws IOException {
    try (NamespaceIndex index = open()) {
      rebuild(index, image(5, 3));
      assertThat(folder.resolve("generation-1")).doesNotExist();
    }
    // As it would be before the switch: half of the next one, and the draft of its name.
    Path half = Files.createDirectories(folder.resolve("generation-3/scratch"));
    Files.writeString(half.resolve("files-0.run"), "x");
    Files.writeString(folder.resolve("current.new"), "x");
    try (NamespaceIndex index = open()) {
      assertThat(coldest(index, 9)).hasSize(3);
      assertThat(folder.resolve("generation-3")).doesNotExist();
      rebuild(index, image(6, 4));
      assertThat(coldest(index, 9)).hasSize(4);
    }
    // As it would be after the switch: the one before is still there.
    Files.createDirectories(folder.resolve("generation-2"));
    try (NamespaceIndex index = open()) {
      assertThat(folder.resolve("generation-2")).doesNotExist();
      assertThat(coldest(index, 9)).hasSize(4);
    }
  }

  @Test
  void readersGoOnWithTheOldGenerationWhileItIsReplaced() {
    try (NamespaceIndex index = open()) {
      rebuild(index, image(5, 200));
      List<String> seen = new ArrayList<>();
      index.forEach(
          file -> {
            if (seen.isEmpty()) {
              rebuild(index, image(6, 1));
            }
            seen.add(file.path());
            return true;
          });
      assertThat(seen).hasSize(200);
      assertThat(coldest(index, 9)).hasSize(1);
      assertThat(folder.resolve("generation-2")).doesNotExist();
    }
  }

  @Test
  void anAccessThatAnImageShowsIsNoneBesidesTheOneThatIsTold() throws IOException {
    Image read = read();
    try (NamespaceIndex index = open()) {
      rebuild(index, read);
      assertThat(index.at("/f").orElseThrow().accesses().counted()).isEqualTo(1);
    }
    DatabaseFolder.remove(folder);
    try (NamespaceIndex index = open()) {
      index.accessesAreReportedSince(Optional.of(Instant.ofEpochMilli(NOW + 7)));
      rebuild(index, read);
      assertThat(index.at("/f").orElseThrow().accesses().counted()).isZero();
      assertThat(index.at("/f").orElseThrow().attributes().accessed())
          .as("before the log begins, it may have been read at any time")
          .isEqualTo(NOW + 7);
      index.accessed(
          List.of(new Access("/f", NOW + DAY + 5)),
          new Watermark("audit", "1"),
          (access, inode) -> {});
      assertThat(index.at("/f").orElseThrow().accesses().counted()).isEqualTo(1);
    }
  }

  /** It may be that of a read by a backup job, which does not count. */
  @Test
  void anAccessTimeThatAnAuditLogShouldHaveReportedIsNoEvidence() throws IOException {
    Optional<Instant> since = Optional.of(Instant.ofEpochMilli(NOW - 5 * DAY));
    Path other = folder.resolve("other");
    try (NamespaceIndex index = NamespaceIndex.open(other, Clock.systemUTC())) {
      rebuild(index, image(5, 30));
      index.accessesAreReportedSince(since);
      ApplyResult unused =
          index.apply(
              List.of(
                  new NamespaceEvent.TimesSet("/cold/f20", -1, NOW),
                  new NamespaceEvent.TimesSet("/cold/f21", -1, NOW - 5 * DAY),
                  new NamespaceEvent.TimesSet("/cold/f22", -1, NOW - 5 * DAY - 1)),
              6,
              new Watermark("inotify", "6"));
      assertUses(index);
    }
    try (NamespaceIndex index = NamespaceIndex.open(other, Clock.systemUTC())) {
      index.accessesAreReportedSince(since);
      rebuild(index, imageAfterABackup(7, 30));
      assertUses(index);

      index.accessesAreReportedSince(Optional.empty());
      rebuild(index, imageAfterABackup(8, 30));
      assertThat(index.at("/cold/f20").orElseThrow().attributes().accessed())
          .as("when the log breaks, they count again")
          .isEqualTo(NOW + DAY);
    }
  }

  private static void assertUses(NamespaceIndex index) {
    assertThat(index.at("/cold/f20").orElseThrow().attributes().lastUsed())
        .isEqualTo(NOW - 20 * DAY);
    assertThat(index.at("/cold/f21").orElseThrow().attributes().lastUsed())
        .isEqualTo(NOW - 21 * DAY);
    assertThat(index.at("/cold/f22").orElseThrow().attributes().lastUsed())
        .as("before the log begins")
        .isEqualTo(NOW - 5 * DAY - 1);
  }

  /** As {@link #image}, but all files were read a day from now. */
  private static Image imageAfterABackup(long transaction, int files) {
    return new Image() {
      @Override
      public long transaction() {
        return transaction;
      }

      @Override
      public long inodes() {
        return files + 2L;
      }

      @Override
      public void read(Visitor visitor) {
        visitor.inode(directory(Inode.ROOT, "", Snapshots.NONE, 0));
        visitor.inode(directory(20_000, "cold", Snapshots.TAKEN, 2));
        visitor.place(20_000, Inode.ROOT);
        for (int i = 0; i < files; i++) {
          visitor.place(30_000 + i, 20_000);
          visitor.inode(
              new Inode.File(
                  30_000 + i,
                  "f" + i,
                  new FileAttributes(
                      10, 128, 1, 3, NOW - i * DAY, NOW + DAY, "u", "g", 0, Set.of())));
        }
      }
    };
  }

  /** /f, read a day after it was written. */
  private static Image read() {
    return new Image() {
      @Override
      public long transaction() {
        return 5;
      }

      @Override
      public long inodes() {
        return 2;
      }

      @Override
      public void read(Visitor visitor) {
        visitor.inode(directory(Inode.ROOT, "", Snapshots.NONE, 0));
        visitor.inode(
            new Inode.File(
                30_000,
                "f",
                new FileAttributes(10, 128, 1, 3, NOW, NOW + DAY, "u", "g", 0, Set.of())));
        visitor.place(30_000, Inode.ROOT);
      }
    };
  }

  @Test
  void recencySurvivesTheRenameOfADirectory() {
    try (NamespaceIndex index = open()) {
      rebuild(index, image(5, 3));
      index.accessed(
          List.of(new Access("/cold/f2", NOW + DAY)),
          new Watermark("audit", "1"),
          (access, inode) -> {});
      index.apply(
          List.of(
              new NamespaceEvent.DirectoryCreated("/old", NOW, "u", "g"),
              new NamespaceEvent.Renamed("/cold", "/old/2023", NOW)),
          7,
          new Watermark("inotify", "7"));
      IndexedFile file = index.at("/old/2023/f2").orElseThrow();
      assertThat(file.inode()).isEqualTo(30_002);
      assertThat(file.lastUsed().toEpochMilli()).isEqualTo(NOW + DAY);
      assertThat(index.at("/cold/f2")).isEmpty();
      assertThat(coldest(index, 9)).containsExactly(30_001L, 30_000L, 30_002L);
    }
  }

  @Test
  void anAccessToAPathThatNoNameNodeTakesIsPassedOver() {
    try (NamespaceIndex index = open()) {
      rebuild(index, image(5, 2));
      ApplyResult applied =
          index.accessed(
              List.of(new Access("/a".repeat(300_000), NOW), new Access("/cold/f0", NOW + DAY)),
              new Watermark("audit", "1"),
              (access, inode) -> {});
      assertThat(applied).isEqualTo(new ApplyResult(1, 1, 0));
    }
  }

  @Test
  void accessesOfAYearAmountToWhatTheirHalfLifeLeavesOfThem() {
    try (NamespaceIndex index = open()) {
      rebuild(index, image(5, 2));
      for (int day = 0; day < 365; day++) {
        index.accessed(
            List.of(new Access("/cold/f0", NOW + day * DAY)),
            new Watermark("audit", "" + day),
            (access, inode) -> {});
      }
      IndexedFile daily = index.at("/cold/f0").orElseThrow();
      assertThat(daily.attributes().accessed()).isEqualTo(NOW + 364 * DAY);
      // A daily access that halves in 30 days: 1 / (1 - 2^(-1/30)).
      assertThat(daily.accesses().counted()).isCloseTo(43.8, offset(0.2));
      assertThat(index.at("/cold/f1").orElseThrow().accesses().counted()).isZero();
    }
  }

  @Test
  void whatIsSetAsideIsNotSteppedOverAgain() {
    try (NamespaceIndex index = open()) {
      rebuild(index, image(5, 1000));
      List<Long> first = new ArrayList<>();
      index.coldestFirst(
          file -> {
            first.add(file.inode());
            return first.size() < 900 ? ColdFileVisitor.skip(1) : ColdFileVisitor.stop();
          });
      assertThat(coldest(index, 2000)).hasSize(101);
      assertThat(index.file(first.get(0)).orElseThrow().skipTag()).hasValue(1);
      index.unskip(first.get(0));
      assertThat(coldest(index, 1)).containsExactly(first.get(0));
      index.skip(first.get(0), 9);
      index.unskipAll();
      assertThat(coldest(index, 2000)).hasSize(1000);
      assertThat(index.runDeferredTasks(10_000)).isGreaterThanOrEqualTo(899);
      assertThat(coldest(index, 2000)).hasSize(1000).startsWith(first.get(0), first.get(1));
    }
  }

  @Test
  void aListingInWhichNothingHasChangedWritesNothing() {
    try (NamespaceIndex index = open()) {
      rebuild(index, image(5, 3));
      index.forgetTransaction(); // a listing of everything does
      long before = sequence(index);
      ListingUpdate relisting = index.relist();
      relisting.directory(
          directory(Inode.ROOT, "", Snapshots.NONE, 0),
          0,
          List.of(directory(20_000, "cold", Snapshots.TAKEN, 2)));
      relisting.directory(
          directory(20_000, "cold", Snapshots.TAKEN, 2),
          Inode.ROOT,
          List.of(
              file(30_000, "f0", NOW),
              file(30_001, "f1", NOW - DAY),
              file(30_002, "f2", NOW - 2 * DAY)));
      assertThat(relisting.end()).isEqualTo(new ListingResult(2, 4, 0, 0, 0, 0, 0));
      assertThat(sequence(index)).isEqualTo(before);
    }
  }

  private static long sequence(NamespaceIndex index) {
    return index.read(generation -> generation.database().sequence());
  }

  @Test
  void filesThatEventsConcernAreReportedBeforeTheIndexKeepsThem() {
    List<FileChanges> reported = new ArrayList<>();
    try (NamespaceIndex index = open()) {
      rebuild(index, image(5, 12));
      index.reportChangesTo(
          changes -> {
            assertThat(index.transaction()).as("before the commit").hasValue(5);
            reported.add(changes);
            throw new UncheckedIOException(new IOException("no room"));
          });
      List<NamespaceEvent> events =
          List.of(
              new NamespaceEvent.Appended("/cold/f0"),
              new NamespaceEvent.Truncated("/cold/f1", NOW, 5),
              new NamespaceEvent.Deleted("/cold/f2", NOW),
              created("/cold/f3"), // overwrites it
              new NamespaceEvent.Renamed("/cold/f4", "/cold/f5", NOW), // deletes f5
              new NamespaceEvent.OwnerSet("/cold/f6", "eve", null),
              new NamespaceEvent.AccessSet("/cold/f7"),
              new NamespaceEvent.ReplicationSet("/cold/f8", 2),
              new NamespaceEvent.ReplicationSet("/cold/f8", 7),
              new NamespaceEvent.TimesSet("/cold/f9", -1, NOW),
              created("/cold/new"),
              new NamespaceEvent.Closed("/cold/new", NOW, 3),
              new NamespaceEvent.Appended("/cold/new"),
              new NamespaceEvent.Renamed("/cold/f10", "/cold/renamed", NOW),
              new NamespaceEvent.Appended("/cold/renamed"),
              new NamespaceEvent.Deleted("/cold/unknown", NOW));

      assertThatThrownBy(() -> index.apply(events, 6, new Watermark("inotify", "6")))
          .hasMessageContaining("no room");
      assertThat(index.transaction()).as("so the events come again").hasValue(5);
      index.reportChangesTo(reported::add);
      ApplyResult unused = index.apply(events, 6, new Watermark("inotify", "6"));

      FileChanges changes =
          new FileChanges(
              Set.of(30_000L, 30_001L, 30_002L, 30_003L, 30_005L, 30_006L, 30_007L, 30_010L),
              Map.of(30_008L, 7),
              Set.of("/cold/new"),
              Set.of(30_004L, 30_010L));
      assertThat(reported).containsExactly(changes, changes);
    }
  }

  /** Edits are taken in before the lines of the audit log. */
  @Test
  void aReadIsThatOfTheFileThatWasAtThePathThen() {
    try (NamespaceIndex index = open()) {
      rebuild(index, image(5, 6));
      ApplyResult unused =
          index.apply(
              List.of(
                  new NamespaceEvent.Renamed("/cold/f1", "/cold/g1", NOW + 1_000),
                  created("/cold/f1"), // another file
                  new NamespaceEvent.Renamed("/cold/f2", "/cold/h2", NOW + 1_000),
                  new NamespaceEvent.Renamed("/cold", "/warm", NOW + 2_000),
                  new NamespaceEvent.Renamed("/warm/h2", "/warm/i2", NOW + 3_000)),
              6,
              new Watermark("inotify", "6"));

      ApplyResult applied =
          index.accessed(
              index.atPresentPaths(
                  List.of(
                      new Access("/cold/f1", NOW + 900),
                      new Access("/cold/f2", NOW + 950),
                      new Access("/cold/f3", NOW + 1_999),
                      new Access("/warm/h2", NOW + 3_000),
                      // there was no such directory any more
                      new Access("/cold/f4", NOW + 2_001))),
              new Watermark("audit", "1"),
              (access, inode) -> {});

      assertThat(applied.unknown()).isEqualTo(1);
      assertThat(index.at("/warm/g1").orElseThrow().attributes().accessed()).isEqualTo(NOW + 900);
      assertThat(index.at("/warm/f1").orElseThrow().accesses().counted()).isZero();
      assertThat(index.at("/warm/i2").orElseThrow().attributes().accessed()).isEqualTo(NOW + 3_000);
      assertThat(index.at("/warm/i2").orElseThrow().accesses().counted())
          .isCloseTo(2, offset(0.01));
      assertThat(index.at("/warm/f3").orElseThrow().attributes().accessed()).isEqualTo(NOW + 1_999);
    }
  }

  @Test
  void filesBelowADeletedDirectoryAreReportedWhenTheyAreMet() {
    List<Long> reported = new ArrayList<>();
    try (NamespaceIndex index = open()) {
      rebuild(index, image(5, 40));
      index.reportChangesTo(changes -> reported.addAll(changes.inodes()));
      ApplyResult unused =
          index.apply(
              List.of(new NamespaceEvent.Deleted("/cold", NOW)), 6, new Watermark("inotify", "6"));
      assertThat(reported).isEmpty();
      while (index.runDeferredTasks(7) > 0) {}
      assertThat(reported)
          .containsExactlyInAnyOrderElementsOf(LongStream.range(30_000, 30_040).boxed().toList());
    }
  }

  /** Who may traverse a directory decides who may read the files below. */
  @Test
  void filesBelowADirectoryWithOtherAccessAreReported() {
    for (NamespaceEvent event :
        List.of(
            new NamespaceEvent.AccessSet("/cold"),
            new NamespaceEvent.OwnerSet("/cold", "eve", null),
            new NamespaceEvent.Renamed("/cold", "/top/cold", NOW),
            new NamespaceEvent.AccessSet("/"),
            new NamespaceEvent.OwnerSet("/", null, "staff"))) {
      Set<Long> reported = new HashSet<>();
      try (NamespaceIndex index = open()) {
        rebuild(index, image(5, 40));
        index.reportChangesTo(changes -> reported.addAll(changes.access()));
        ApplyResult unused = index.apply(List.of(event), 6, new Watermark("inotify", "6"));
        assertThat(index.runDeferredTasks(7)).isGreaterThanOrEqualTo(7);
      }
      try (NamespaceIndex index = open()) { // a restart in the middle
        index.reportChangesTo(changes -> reported.addAll(changes.access()));
        while (index.runDeferredTasks(7) >= 7) {}
        assertThat(reported)
            .as("%s", event)
            .containsExactlyInAnyOrderElementsOf(LongStream.range(30_000, 30_040).boxed().toList());
        assertThat(index.runDeferredTasks(7)).as("all done").isZero();
      }
    }
  }

  private static NamespaceEvent created(String path) {
    return new NamespaceEvent.FileCreated(path, NOW, "u", "g", 3, 128, false);
  }
}
