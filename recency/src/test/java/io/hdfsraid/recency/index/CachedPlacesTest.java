// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.recency.namespace.Access;
import io.hdfsraid.recency.namespace.FileAttributes;
import io.hdfsraid.recency.namespace.Image;
import io.hdfsraid.recency.namespace.Inode;
import io.hdfsraid.recency.namespace.Inode.Snapshots;
import io.hdfsraid.recency.namespace.NamespaceEvent;
import io.hdfsraid.recency.namespace.Watermark;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What was looked for lately is kept in memory, and changes behind it. */
class CachedPlacesTest {
  private static final long T = 1_700_000_000_000L;
  private static final long HOUR = 3_600_000;
  private static final long TABLE = 20_001;
  private static final long FILE = 30_000;

  @TempDir private Path folder;

  private NamespaceIndex index;
  private long transaction = 1;

  @BeforeEach
  void aFileThatWasLookedForLately() throws IOException {
    index = NamespaceIndex.open(folder, Clock.systemUTC());
    index.rebuild(image(transaction, FILE), (phase, inodes) -> {});
    read("/db/table/f", 1);
    assertThat(used("/db/table/f")).isEqualTo(1);
  }

  @AfterEach
  void close() {
    index.close();
  }

  /** /db/table/f, which has this number. */
  private static Image image(long transaction, long file) {
    return new Image() {
      @Override
      public long transaction() {
        return transaction;
      }

      @Override
      public long inodes() {
        return 4;
      }

      @Override
      public void read(Visitor visitor) {
        visitor.inode(directory(Inode.ROOT, ""));
        visitor.inode(directory(20_000, "db"));
        visitor.inode(directory(TABLE, "table"));
        visitor.inode(file(file, "f"));
        visitor.place(20_000, Inode.ROOT);
        visitor.place(TABLE, 20_000);
        visitor.place(file, TABLE);
      }
    };
  }

  private static Inode.File file(long id, String name) {
    return new Inode.File(id, name, new FileAttributes(10, 128, 1, 3, T, 0, "u", "g", 0, Set.of()));
  }

  private static Inode.Directory directory(long id, String name) {
    return new Inode.Directory(id, name, "u", "g", 0, Snapshots.NONE);
  }

  private ApplyResult apply(NamespaceEvent... events) {
    transaction += events.length;
    return index.apply(
        List.of(events), transaction, new Watermark("inotify", Long.toString(transaction)));
  }

  private static NamespaceEvent created(String path, int hour) {
    return new NamespaceEvent.FileCreated(path, T + hour * HOUR, "u", "g", 3, 128, false);
  }

  private static NamespaceEvent accessed(String path, int hour) {
    return new NamespaceEvent.TimesSet(path, -1, T + hour * HOUR);
  }

  private static NamespaceEvent renamed(String from, String to) {
    return new NamespaceEvent.Renamed(from, to, T);
  }

  private ApplyResult read(String path, int hour) {
    return apply(accessed(path, hour));
  }

  /** In which hour, by the tables. */
  private long used(String path) {
    return (index.at(path).orElseThrow().lastUsed().toEpochMilli() - T) / HOUR;
  }

  @Test
  void aFileThatWasMovedOrRemovedIsNotFoundWhereItWas() {
    apply(renamed("/db/table/f", "/db/table/g"));
    assertThat(read("/db/table/f", 2).unknown()).isOne();
    assertThat(read("/db/table/g", 3).unknown()).isZero();

    apply(new NamespaceEvent.Deleted("/db/table/g", T));
    assertThat(read("/db/table/g", 4).unknown()).isOne();
    assertThat(index.files()).isZero();
  }

  @Test
  void afterTheRenameOfADirectoryItsFilesAreFoundAtTheirNewPathsOnly() {
    assertThat(apply(renamed("/db", "/old")).unknown()).isZero();

    assertThat(read("/db/table/f", 2).unknown()).isOne();
    assertThat(read("/old/table/f", 3).unknown()).isZero();
    assertThat(index.file(FILE).orElseThrow().path()).isEqualTo("/old/table/f");
    assertThat(used("/old/table/f")).isEqualTo(3);
  }

  @Test
  void whatIsMadeAtThePathOfWhatWasRemovedIsAnother() {
    apply(
        new NamespaceEvent.Deleted("/db/table", T),
        new NamespaceEvent.DirectoryCreated("/db/table", T, "u", "g"));
    assertThat(read("/db/table/f", 2).unknown()).isOne();
    apply(created("/db/table/f", 4));
    assertThat(read("/db/table/f", 5).unknown()).isZero();

    assertThat(index.at("/db/table/f").orElseThrow().provisional()).isTrue();
    assertThat(used("/db/table/f")).isEqualTo(5);
    assertThat(index.runDeferredTasks(100)).isPositive();
    assertThat(read("/db/table/f", 6).unknown()).isZero();
    assertThat(index.file(FILE)).isEmpty();
    assertThat(index.files()).isOne();
  }

  /** Two names that lead to one place. */
  private static List<String> twins() {
    Map<Integer, String> names = new HashMap<>();
    for (int i = 0; ; i++) {
      String name = "part-" + i;
      String twin = names.put(Keys.hash(name), name);
      if (twin != null) {
        return List.of(twin, name);
      }
    }
  }

  @Test
  void filesWhoseNamesShareAPlaceAreToldApart() {
    String one = "/db/table/" + twins().get(0);
    String other = "/db/table/" + twins().get(1);
    apply(created(one, 1));
    assertThat(read(one, 2).unknown()).isZero();
    assertThat(read(other, 3).unknown()).isOne();

    apply(created(other, 4));
    assertThat(read(one, 5).unknown()).isZero();
    assertThat(read(other, 6).unknown()).isZero();
    assertThat(used(one)).isEqualTo(5);
    assertThat(used(other)).isEqualTo(6);

    apply(new NamespaceEvent.Deleted(one, T));
    assertThat(read(one, 7).unknown()).isOne();
    assertThat(read(other, 8).unknown()).isZero();
    assertThat(used(other)).isEqualTo(8);
  }

  @Test
  void directoriesThatChangePlacesAreToldApartInOneBatch() {
    apply(
        accessed("/db/table/f", 2),
        renamed("/db/table", "/db/other"),
        created("/db/table/f", 3),
        accessed("/db/table/f", 4),
        accessed("/db/other/f", 5),
        renamed("/db/table", "/db/third"),
        renamed("/db/other", "/db/table"),
        accessed("/db/table/f", 6),
        accessed("/db/third/f", 7),
        new NamespaceEvent.Deleted("/db/third", T));

    assertThat(index.at("/db/table/f").orElseThrow().inode()).isEqualTo(FILE);
    assertThat(used("/db/table/f")).isEqualTo(6);
    assertThat(read("/db/third/f", 8).unknown()).isOne();
    assertThat(read("/db/other/f", 8).unknown()).isOne();
  }

  @Test
  void aDirectoryThatIsMissingIsFoundAsSoonAsItIsMade() {
    ApplyResult applied =
        apply(
            accessed("/db/new/f", 2),
            new NamespaceEvent.DirectoryCreated("/db/new", T, "u", "g"),
            created("/db/new/f", 3),
            accessed("/db/new/f", 4));

    assertThat(applied.unknown()).isOne();
    assertThat(used("/db/new/f")).isEqualTo(4);
  }

  @Test
  void whatIsDoneByNumberIsNotUndoneByTheNextEvent() {
    index.skip(FILE, 7);
    read("/db/table/f", 2);
    assertThat(index.file(FILE).orElseThrow().skipTag()).hasValue(7);

    index.unskip(FILE);
    read("/db/table/f", 3);
    assertThat(index.file(FILE).orElseThrow().skipTag()).isEmpty();
    assertThat(used("/db/table/f")).isEqualTo(3);
  }

  @Test
  void aFileThatGotItsNumberIsFoundByIt() {
    apply(created("/db/table/g", 2), accessed("/db/table/g", 3));
    index.identify(directory(TABLE, "table"), 20_000, List.of(file(31_000, "g")));
    assertThat(read("/db/table/g", 4).unknown()).isZero();

    assertThat(index.file(31_000).orElseThrow().lastUsed().toEpochMilli()).isEqualTo(T + 4 * HOUR);
    assertThat(index.files()).isEqualTo(2);
  }

  @Test
  void whatWasKeptDoesNotOutliveTheGeneration() throws IOException {
    transaction += 10;
    index.rebuild(image(transaction, 32_000), (phase, inodes) -> {});
    assertThat(read("/db/table/f", 2).unknown()).isZero();

    assertThat(index.file(FILE)).isEmpty();
    assertThat(index.file(32_000).orElseThrow().lastUsed().toEpochMilli()).isEqualTo(T + 2 * HOUR);
  }

  @Test
  void accessesAmountToTheSameWhetherTheFileWasKeptOrIsReadAgain() throws IOException {
    List<Double> kept = accessedOften(33_000, false);

    assertThat(accessedOften(34_000, true)).isEqualTo(kept).doesNotHaveDuplicates();
  }

  private List<Double> accessedOften(long file, boolean openedAgain) throws IOException {
    transaction += 10;
    index.rebuild(image(transaction, file), (phase, inodes) -> {});
    List<Double> counted = new ArrayList<>();
    for (int each = 1; each <= 20; each++) {
      Access access = new Access("/db/table/f", T + 24 * HOUR * each);
      index.accessed(
          List.of(access), new Watermark("audit", file + " " + each), (read, inode) -> {});
      if (openedAgain) {
        index.close();
        index = NamespaceIndex.open(folder, Clock.systemUTC());
      }
      counted.add(index.at("/db/table/f").orElseThrow().accesses().counted());
    }
    return counted;
  }
}
