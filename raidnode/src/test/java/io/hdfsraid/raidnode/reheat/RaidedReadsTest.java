// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.reheat;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.policies.FileFacts;
import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidapi.status.ReheatCost;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.FileProgress;
import io.hdfsraid.raidnode.catalog.FileRecord;
import io.hdfsraid.raidnode.catalog.Parity;
import io.hdfsraid.recency.SettableClock;
import io.hdfsraid.recency.namespace.Access;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RaidedReadsTest {
  private static final Instant NOW = Instant.parse("2026-11-23T00:00:00Z");
  private static final int FILES = 3 * RaidedReads.SAMPLE;

  @TempDir private Path folder;

  private final SettableClock clock = new SettableClock(NOW);
  private final List<Long> located = new ArrayList<>();
  private ReadLocality locality = (inode, readers) -> OptionalDouble.of(0.5 * readers.size());
  private Catalog catalog;
  private RaidedReads reads;

  @BeforeEach
  void open() {
    catalog = Catalog.open(folder, clock);
    for (long inode = 1; inode <= FILES; inode++) {
      record(inode, FileState.RAIDED, Optional.of(new Parity("rs-10-4", 3, 1, 1, 25, 512)));
    }
    record(FILES + 1, FileState.LEFT, Optional.empty());
    reads =
        new RaidedReads(
            catalog,
            (inode, readers) -> {
              located.add(inode);
              return locality.offNode(inode, readers);
            },
            clock);
  }

  @AfterEach
  void close() {
    catalog.close();
  }

  private void record(long inode, FileState status, Optional<Parity> parity) {
    FileFacts facts =
        FileFacts.of("/d/" + inode, inode, 1_000, 1_000, 3, NOW.minus(Duration.ofDays(100)));
    catalog.files().put(new FileRecord(facts, FileProgress.of(status, "cold", NOW), parity, NOW));
  }

  private void read(long from, long to) {
    reads.count(
        LongStream.rangeClosed(from, to)
            .boxed()
            .collect(Collectors.toMap(inode -> inode, inode -> by("10.0.0.1", "10.0.0.2"))));
  }

  private static List<Access> by(String... readers) {
    return Stream.of(readers).map(reader -> new Access("/d", NOW.toEpochMilli(), reader)).toList();
  }

  private ReheatCost cost() {
    return catalog.reheatCosts().now();
  }

  @Test
  void readsOfRaidedFilesCountAndNoOthers() {
    reads.count(
        Map.of(
            1L,
            by("10.0.0.1"),
            2L,
            by("10.0.0.1", "10.0.0.1", ""),
            FILES + 1L,
            by("10.0.0.1"),
            FILES + 2L,
            by("10.0.0.1")));

    assertThat(cost()).isEqualTo(new ReheatCost(NOW, 4, 4, 2, 0, 0));
    assertThat(located).containsExactlyInAnyOrder(1L, 2L);
  }

  @Test
  void readsAreCountedOverARestart() {
    reads.count(Map.of(1L, by("10.0.0.1", "", "10.0.0.3")));
    catalog.close();
    catalog = Catalog.open(folder, clock);

    assertThat(cost()).isEqualTo(new ReheatCost(NOW, 3, 3, 1.5, 0, 0));
  }

  @Test
  void ofMuchThatIsReadAFewFilesAreLocatedInAMinute() {
    read(1, FILES);
    read(1, FILES);
    clock.pass(Duration.ofSeconds(59));
    read(1, FILES);
    assertThat(located).hasSize(RaidedReads.SAMPLE);
    assertThat(cost())
        .isEqualTo(
            new ReheatCost(NOW, 6 * FILES, 2 * RaidedReads.SAMPLE, RaidedReads.SAMPLE, 0, 0));

    clock.pass(Duration.ofSeconds(1));
    read(1, FILES);
    assertThat(located).hasSize(2 * RaidedReads.SAMPLE);
    assertThat(cost().opens()).isEqualTo(8 * FILES);
  }

  @Test
  void aNameNodeThatDoesNotAnswerIsNotAskedAgainInThatMinute() {
    locality =
        (inode, readers) -> {
          throw new IOException("no NameNode");
        };
    read(1, FILES);
    assertThat(located).hasSize(1);
    assertThat(cost()).isEqualTo(new ReheatCost(NOW, 2 * FILES, 0, 0, 0, 0));

    locality = (inode, readers) -> OptionalDouble.of(readers.size());
    clock.pass(Duration.ofMinutes(1));
    read(7, 7);
    assertThat(cost()).isEqualTo(new ReheatCost(NOW, 2 * FILES + 2, 2, 2, 0, 0));
  }

  @Test
  void whatWasReadBeforeItWasRaidedDoesNotCount() {
    long raided = NOW.toEpochMilli();
    reads.count(
        Map.of(
            1L,
            List.of(
                new Access("/d/1", raided - 1, "10.0.0.1"), new Access("/d/1", raided, "10.0.0.2")),
            2L,
            List.of(new Access("/d/2", raided - 1, "10.0.0.1"))));

    assertThat(cost()).isEqualTo(new ReheatCost(NOW, 1, 1, 0.5, 0, 0));
    assertThat(located).containsExactly(1L);
  }

  @Test
  void aFileWhoseReplicasAreNotLoweredYetDoesNotCount() {
    record(1, FileState.COMMITTED, Optional.of(new Parity("rs-10-4", 3, 1, 1, 25, 512)));
    read(1, 1);
    assertThat(cost()).isEqualTo(ReheatCost.none(NOW));
  }

  @Test
  void theSampleIsOfAnyFiles() {
    for (int minute = 0; minute < 200; minute++) {
      read(1, FILES);
      clock.pass(Duration.ofMinutes(1));
    }
    assertThat(located).hasSize(200 * RaidedReads.SAMPLE);
    assertThat(Set.copyOf(located)).hasSize(FILES);
  }

  @Test
  void aFileThatIsGoneIsNotInTheSample() {
    locality = (inode, readers) -> OptionalDouble.empty();
    read(1, 2);
    assertThat(cost()).isEqualTo(new ReheatCost(NOW, 4, 0, 0, 0, 0));
  }
}
