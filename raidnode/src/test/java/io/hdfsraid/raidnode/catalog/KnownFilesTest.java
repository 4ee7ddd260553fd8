package io.hdfsraid.raidnode.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsraid.policies.Reason;
import io.hdfsraid.raidnode.catalog.Tables.Rank;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KnownFilesTest {
  @TempDir Path folder;

  private Store store;
  private KnownFiles files;

  @BeforeEach
  void open() throws Exception {
    store = Store.open(folder);
    files = new KnownFiles(store);
  }

  @AfterEach
  void close() {
    store.close();
  }

  private List<Long> coldest(int count) {
    List<Long> inodes = new ArrayList<>();
    files.coldestFirst(
        file -> {
          inodes.add(file.inode());
          return inodes.size() < count;
        });
    return inodes;
  }

  @Test
  void theLeastRecentlyUsedComeFirst() {
    List<Integer> days = new ArrayList<>(IntStream.range(0, 200).boxed().toList());
    Collections.shuffle(days, new Random(7));
    days.forEach(
        day -> files.put(Samples.candidate(1000 + day, Samples.NOW.plus(Duration.ofDays(day)))));
    assertThat(coldest(1000)).isEqualTo(LongStream.range(1000, 1200).boxed().toList());
    assertThat(coldest(3)).containsExactly(1000L, 1001L, 1002L);
  }

  @Test
  void aFileUsedAgainMovesToTheWarmEnd() {
    for (int day = 0; day < 5; day++) {
      files.put(Samples.candidate(day, Samples.NOW.plus(Duration.ofDays(day))));
    }
    files.put(Samples.candidate(0, Samples.NOW.plus(Duration.ofDays(9))));
    assertThat(coldest(10)).containsExactly(1L, 2L, 3L, 4L, 0L);
  }

  @Test
  void whatNeedsNoTurnIsNotInTheOrder() {
    Instant used = Samples.NOW;
    files.put(Samples.candidate(1, used));
    files.put(Samples.record(2, used, Standing.of(FileStatus.RAIDED, "p", used)));
    files.put(Samples.record(3, used, Standing.left(Reason.EXCLUDED, "", "p", used)));
    files.put(
        Samples.record(
            4,
            used,
            new Standing(
                FileStatus.LEFT,
                Optional.of(Reason.STILL_WARM),
                "",
                "p",
                used,
                Optional.of(used.plusSeconds(60)))));
    assertThat(coldest(10)).containsExactly(1L, 4L);
    files.update(1, file -> file.with(Standing.of(FileStatus.RAIDED, "p", used)));
    files.forget(4);
    assertThat(coldest(10)).isEmpty();
  }

  @Test
  void pickingTheColdestReadsOnlyThese() {
    int count = 100_000;
    List<FileRecord> batch = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      batch.add(Samples.candidate(i, Samples.NOW.plusSeconds((i * 7919L) % count)));
      if (batch.size() == 1000) {
        files.putAll(batch);
        batch.clear();
      }
    }
    // An entry that cannot be decoded stands just behind the tenth: who reads it fails.
    Table<byte[], byte[]> raw =
        new Table<>("lru", new Format<>(b -> b, b -> b), new Format<>(b -> b, b -> b));
    byte[] afterTenth =
        Tables.RANK.encode().apply(new Rank(Samples.NOW.plusSeconds(9), Long.MAX_VALUE));
    byte[] damaged = java.util.Arrays.copyOf(afterTenth, 9);
    damaged[8] = (byte) 0xFF;
    store.put(raw, damaged, new byte[0]);

    assertThat(coldest(10)).hasSize(10);
    assertThatThrownBy(() -> coldest(11)).hasMessageContaining("an entry of lru is damaged");
    assertThat(files.totals()).singleElement().extracting(Total::files).isEqualTo((long) count);
  }

  @Test
  void totalsFollowEveryChange() {
    files.putAll(
        List.of(
            Samples.candidate(1, Samples.NOW),
            Samples.candidate(2, Samples.NOW),
            Samples.candidate(2, Samples.NOW.plusSeconds(1)),
            Samples.record(
                3, Samples.NOW, Standing.left(Reason.EMPTY, "", "warehouse", Samples.NOW))));
    files.update(
        1,
        file ->
            file.with(Standing.of(FileStatus.RAIDED, "p", Samples.NOW))
                .with(Optional.of(new Parity("rs-2-1", 3, 1, 2, 2, 8_000_000))));
    assertThat(files.totals())
        .containsExactlyInAnyOrder(
            new Total(
                FileStatus.CANDIDATE, Optional.empty(), 1, 10_000_000, 30_000_000, 0, 30_000_000),
            new Total(
                FileStatus.LEFT,
                Optional.of(Reason.EMPTY),
                1,
                10_000_000,
                30_000_000,
                0,
                30_000_000),
            new Total(
                FileStatus.RAIDED,
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
      FileStatus status = i % 2 == 0 ? FileStatus.RAIDED : FileStatus.CANDIDATE;
      files.put(Samples.record(i, Samples.NOW, Standing.of(status, "p", Samples.NOW)));
    }
    List<Long> found = new ArrayList<>();
    Optional<Long> after = Optional.of(-1L);
    int pages = 0;
    while (after.isPresent()) {
      KnownFiles.Page page =
          files.page(
              Optional.of(FileStatus.RAIDED), file -> file.inode() >= 30, after.get(), 4, 10);
      page.files().forEach(file -> found.add(file.inode()));
      after = page.next();
      pages++;
    }
    assertThat(found).containsExactly(30L, 32L, 34L, 36L, 38L, 40L, 42L, 44L, 46L, 48L);
    assertThat(pages).isEqualTo(4);
    assertThat(files.page(Optional.empty(), file -> true, -1, 100, 1000).files()).hasSize(50);
  }

  @Test
  void filesThatAScanDidNotMeetAreFound() {
    files.put(Samples.candidate(1, Samples.NOW));
    files.put(
        Samples.candidate(2, Samples.NOW)
            .with(Samples.facts(2, Samples.NOW), Samples.NOW.plusSeconds(10)));
    List<Long> unseen = new ArrayList<>();
    files.notSeenSince(Samples.NOW.plusSeconds(5), file -> unseen.add(file.inode()));
    assertThat(unseen).containsExactly(1L);
  }
}
