// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest.savings;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.drfs.InMemoryCluster;
import io.hdfsraid.policies.FileFacts;
import io.hdfsraid.policies.Judge;
import io.hdfsraid.policies.Policies;
import io.hdfsraid.policies.Reason;
import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidapi.savings.SavingsReport;
import io.hdfsraid.raidapi.savings.SavingsReport.Row;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.FileProgress;
import io.hdfsraid.raidnode.catalog.FileRecord;
import io.hdfsraid.raidnode.catalog.Parity;
import io.hdfsraid.raidnode.rest.files.JudgedFiles;
import io.hdfsraid.raidnode.select.CodecEstimate;
import io.hdfsraid.raidnode.select.PoliciesInForce;
import io.hdfsraid.recency.ListedNamespace;
import io.hdfsraid.recency.Recency;
import io.hdfsraid.recency.RecencyOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SavingsServiceTest {
  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  private static final int BLOCK = 1_000;
  private static final Clock CLOCK = Clock.systemUTC();

  @TempDir Path folder;

  private final InMemoryCluster cluster = new InMemoryCluster(6, 3, 1);
  private final ListedNamespace namespace = new ListedNamespace();
  private final AtomicInteger asked = new AtomicInteger();

  /** Who judges a file asks it for the time. */
  private final Clock counted =
      new Clock() {
        @Override
        public ZoneId getZone() {
          return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
          throw new UnsupportedOperationException();
        }

        @Override
        public Instant instant() {
          asked.incrementAndGet();
          return NOW;
        }
      };

  private Catalog catalog;
  private Recency recency;
  private SavingsService savings;

  @BeforeEach
  void open() {
    catalog = Catalog.open(folder, Clock.systemUTC());
    PoliciesInForce none =
        new PoliciesInForce(
            Policies.of(), held -> new Judge(held, "/.raid", new CodecEstimate(), CLOCK));
    recency =
        new Recency(
            catalog.namespace(),
            catalog.notes(),
            reads -> {},
            namespace,
            RecencyOptions.listing("/.raid", Optional.empty()),
            Clock.systemUTC());
    JudgedFiles files = new JudgedFiles(catalog, none, recency, counted);
    savings = new SavingsService(catalog, files, cluster, cluster, CLOCK);
  }

  @AfterEach
  void close() {
    catalog.close();
  }

  /**
   * A file under parity.
   *
   * @param replicas that there really are
   */
  private void raided(String path, int bytes, String codec, String policy, int replicas) {
    long inode = cluster.createFile(path, BLOCK, new byte[bytes], replicas);
    catalog
        .files()
        .put(
            new FileRecord(
                FileFacts.of(path, inode, bytes, BLOCK, 1, NOW).withParity(1),
                FileProgress.of(FileState.RAIDED, policy, NOW),
                Optional.of(new Parity(codec, 3, 1, 1, 1, 400)),
                NOW));
  }

  private void left(String path, int bytes, Reason reason) {
    long inode = cluster.createFile(path, BLOCK, new byte[bytes], 3);
    catalog
        .files()
        .put(
            new FileRecord(
                FileFacts.of(path, inode, bytes, BLOCK, 3, NOW),
                FileProgress.left(reason, "", "", NOW),
                Optional.empty(),
                NOW));
  }

  @Test
  void ofAPathOnlyTheFilesBelowItAreJudged() throws IOException {
    for (int i = 0; i < 500; i++) {
      namespace.put(FileFacts.of("/other/f" + i, 20_000 + i, 10, BLOCK, 3, NOW));
    }
    namespace.put(FileFacts.of("/w/a", 30_000, 10, BLOCK, 3, NOW));
    namespace.put(FileFacts.of("/w/deep/b", 30_001, 10, BLOCK, 3, NOW));
    namespace.put(FileFacts.of("/water", 30_002, 10, BLOCK, 3, NOW));
    long unused = recency.refresh();
    raided("/w/raided", 1_000, "rs-6-3", "warehouse", 1);

    SavingsReport report = savings.savings("/w", 1, false);
    assertThat(asked.get()).isBetween(2, 10);
    assertThat(report.skipped()).hasSize(1);
    assertThat(report.skipped().get(0).files()).isEqualTo(2);
    assertThat(report.total().files()).isEqualTo(1);
    assertThat(savings.savings("/", 1, false).skipped().get(0).files()).isEqualTo(503);
  }

  @Test
  void whatIsExpectedFollowsFromReplicationAndParity() throws IOException {
    raided("/w/clicks/2024/a", 1_000, "rs-6-3", "warehouse", 1);
    raided("/w/clicks/2025/b", 3_000, "rs-6-3", "warehouse", 1);
    raided("/w/c", 2_000, "rs-10-4", "other", 1);
    raided("/elsewhere/d", 5_000, "rs-10-4", "other", 1);

    SavingsReport report = savings.savings("/w", 1, false);

    assertThat(report.total())
        .isEqualTo(new Row("total", 3, 6_000, 18_000, 6_000 + 1_200, 1_200, 3, 7_200));
    assertThat(report.total().expectedSaving()).isEqualTo(10_800);
    assertThat(report.policies()).extracting(Row::name).containsExactly("warehouse", "other");
    assertThat(report.codecs())
        .extracting(Row::name, Row::logicalBytes)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple("rs-6-3", 4_000L),
            org.assertj.core.groups.Tuple.tuple("rs-10-4", 2_000L));
    assertThat(report.directories()).extracting(Row::name).containsExactly("/w/clicks", "/w");
  }

  @Test
  void theDepthSaysWhichDirectoriesAreToldApart() throws IOException {
    raided("/w/clicks/2024/a", 1_000, "rs-6-3", "p", 1);
    raided("/w/clicks/2025/b", 3_000, "rs-6-3", "p", 1);
    raided("/top", 100, "rs-6-3", "p", 1);

    assertThat(names(savings.savings("/", 0, false))).containsExactly("/");
    assertThat(names(savings.savings("/", 1, false))).containsExactly("/w", "/");
    assertThat(names(savings.savings("/", 3, false)))
        .containsExactly("/w/clicks/2025", "/w/clicks/2024", "/");
    assertThat(names(savings.savings("/w/clicks", 1, false)))
        .containsExactly("/w/clicks/2025", "/w/clicks/2024");
    assertThat(names(savings.savings("/w/clicks", 9, false)))
        .containsExactly("/w/clicks/2025", "/w/clicks/2024");
    assertThat(names(savings.savings("/w/clicks/2024/a", 1, false)))
        .containsExactly("/w/clicks/2024");
  }

  private static List<String> names(SavingsReport report) {
    return report.directories().stream().map(Row::name).toList();
  }

  @Test
  void whatASnapshotKeepsIsNotRealised() throws IOException {
    raided("/w/a", 1_000, "rs-6-3", "p", 1);
    raided("/w/in-a-snapshot", 1_000, "rs-6-3", "p", 3);

    SavingsReport report = savings.savings("/", 1, true);

    assertThat(report.total().expectedBytes()).isEqualTo(2 * 1_400);
    assertThat(report.total().actualBytes()).isEqualTo(1_400 + 3_400);
    assertThat(report.total().actualSaving()).isEqualTo(6_000 - 4_800);
    assertThat(report.measured()).isEqualTo(new SavingsReport.Measured(true, 2, 2, 1));
  }

  @Test
  void ofMoreFilesThanAreLookedAtTheRestIsTakenToBeLikeThem() throws IOException {
    for (int i = 0; i < 1_200; i++) {
      raided("/w/d%d/f%d".formatted(i % 3, i), 1_000, "rs-6-3", "p", 2);
    }

    SavingsReport sampled = savings.savings("/w", 1, false);
    SavingsReport complete = savings.savings("/w", 1, true);

    assertThat(sampled.measured())
        .isEqualTo(new SavingsReport.Measured(false, 1_000, 1_200, 1_000));
    assertThat(sampled.total().actualBytes()).isEqualTo(1_200 * 2_400L);
    assertThat(sampled.total().sampledFiles()).isEqualTo(1_000);
    assertThat(complete.measured())
        .isEqualTo(new SavingsReport.Measured(true, 1_200, 1_200, 1_200));
    assertThat(complete.total().actualBytes()).isEqualTo(1_200 * 2_400L);
    assertThat(sampled.directories())
        .allSatisfy(row -> assertThat(row.sampledFiles()).isBetween(250L, 400L));
  }

  @Test
  void whatIsLeftIsToldByReasonAndSmallFilesApart() throws IOException {
    left("/w/warm", 9_000, Reason.STILL_WARM);
    left("/w/small", 100, Reason.WOULD_NOT_SAVE);
    left("/w/smaller", 50, Reason.TOO_SMALL);
    left("/elsewhere", 50, Reason.TOO_SMALL);

    SavingsReport report = savings.savings("/w", 1, false);

    assertThat(report.skipped())
        .containsExactly(
            new SavingsReport.Skipped("STILL_WARM", 1, 9_000, 27_000),
            new SavingsReport.Skipped("WOULD_NOT_SAVE", 1, 100, 300),
            new SavingsReport.Skipped("TOO_SMALL", 1, 50, 150));
    assertThat(report.smallFiles()).isEqualTo(new SavingsReport.Skipped("small", 2, 150, 450));
    assertThat(report.total().files()).isZero();
    assertThat(report.measured().complete()).as("of nothing, all").isTrue();
  }
}
