// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.policies.Reason;
import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.recency.rocksdb.TableStore;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KnownFilesTest {
  @TempDir Path folder;

  private TableStore store;
  private KnownFiles files;

  @BeforeEach
  void open() throws Exception {
    store = TableStore.open(folder, "catalog", Catalog.MEMORY, Tables.ALL);
    files = new KnownFiles(store);
  }

  @AfterEach
  void close() {
    store.close();
  }

  @Test
  void totalsFollowEveryChange() {
    files.putAll(
        List.of(
            Samples.candidate(1, Samples.NOW),
            Samples.candidate(2, Samples.NOW),
            Samples.candidate(2, Samples.NOW.plusSeconds(1)),
            Samples.record(
                3, Samples.NOW, FileProgress.left(Reason.EMPTY, "", "warehouse", Samples.NOW))));
    files.update(
        1,
        file ->
            file.with(FileProgress.of(FileState.RAIDED, "p", Samples.NOW))
                .with(Optional.of(new Parity("rs-2-1", 3, 1, 2, 2, 8_000_000))));
    assertThat(files.totals())
        .containsExactlyInAnyOrder(
            new Total(
                FileState.CANDIDATE, Optional.empty(), 1, 10_000_000, 30_000_000, 0, 30_000_000),
            new Total(
                FileState.LEFT,
                Optional.of(Reason.EMPTY),
                1,
                10_000_000,
                30_000_000,
                0,
                30_000_000),
            new Total(
                FileState.RAIDED,
                Optional.empty(),
                1,
                10_000_000,
                30_000_000,
                16_000_000,
                30_000_000));
    LongStream.of(1, 2, 3).forEach(files::forget);
    assertThat(files.totals()).isEmpty();
  }

  @Test
  void pagesCoverEveryFileOnceAndEndWhenTheyHaveLookedEnough() {
    for (int i = 0; i < 50; i++) {
      FileState status = i % 2 == 0 ? FileState.RAIDED : FileState.CANDIDATE;
      files.put(Samples.record(i, Samples.NOW, FileProgress.of(status, "p", Samples.NOW)));
    }
    List<Long> found = new ArrayList<>();
    Optional<Long> after = Optional.of(-1L);
    int pages = 0;
    while (after.isPresent()) {
      KnownFiles.Page page =
          files.page(Optional.of(FileState.RAIDED), file -> file.inode() >= 30, after.get(), 4, 10);
      page.files().forEach(file -> found.add(file.inode()));
      after = page.next();
      pages++;
    }
    assertThat(found).containsExactly(30L, 32L, 34L, 36L, 38L, 40L, 42L, 44L, 46L, 48L);
    assertThat(pages).isEqualTo(4);
    assertThat(files.page(Optional.empty(), file -> true, -1, 100, 1000).files()).hasSize(50);
  }

  @Test
  void filesAreMetInStepWithAWayThroughAllInodes() {
    List<FileRecord> batch = new ArrayList<>();
    for (long inode = 10; inode < 6_000; inode += 2) {
      batch.add(Samples.candidate(inode, Samples.NOW));
    }
    files.putAll(batch);
    List<Long> passed = new ArrayList<>();
    KnownInOrder known = new KnownInOrder(files, 11, file -> passed.add(file.inode()));

    assertThat(known.at(9)).isEmpty();
    assertThat(known.at(12)).get().extracting(FileRecord::inode).isEqualTo(12L);
    assertThat(known.at(13)).isEmpty();
    assertThat(known.at(18)).get().extracting(FileRecord::inode).isEqualTo(18L);
    assertThat(passed).containsExactly(14L, 16L);
    assertThat(known.at(5_990)).get().extracting(FileRecord::inode).isEqualTo(5_990L);
    known.end();

    assertThat(passed).hasSize(2_995 - 1 - 3).endsWith(5_992L, 5_994L, 5_996L, 5_998L);
    assertThat(known.at(7_000)).isEmpty();
  }
}
