// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.upkeep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsraid.policies.FileFacts;
import io.hdfsraid.policies.capacity.SpaceUsage;
import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.FileProgress;
import io.hdfsraid.raidnode.catalog.FileRecord;
import io.hdfsraid.raidnode.catalog.Parity;
import io.hdfsraid.raidnode.job.RaidBench;
import io.hdfsraid.raidnode.journal.Journal;
import io.hdfsraid.raidnode.journal.RaidEvents;
import io.hdfsraid.raidnode.raiding.Pipelines;
import io.hdfsraid.raidnode.raiding.core.RaidProgress;
import io.hdfsraid.raidnode.raiding.core.RaidStep;
import io.hdfsraid.raidnode.worker.Workers;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VanishedParityTest {
  private static final Instant NOW = Instant.parse("2029-06-01T00:00:00Z");
  private static final Clock CLOCK = Clock.fixed(NOW, ZoneOffset.UTC);

  @TempDir Path folder;

  private final RaidBench bench = new RaidBench();
  private final ExecutorService threads = Executors.newFixedThreadPool(1);
  private final List<Long> inodes = new ArrayList<>();
  private VanishedParity.Limits limits = VanishedParity.Limits.DEFAULT;
  private int pauses;
  private Catalog catalog;
  private ReconcileJob reconciler;

  @BeforeEach
  void start() {
    catalog = Catalog.open(folder, CLOCK);
    Pipelines daemon = bench.daemon((step, subject) -> {});
    reconciler =
        new ReconcileJob(
            catalog,
            daemon.groupReconciler(),
            daemon.fileReconciler(),
            daemon.unraider(),
            new Workers(threads),
            new Journal(catalog, CLOCK, RaidEvents.NONE),
            CLOCK);
  }

  @AfterEach
  void close() {
    threads.shutdownNow();
    catalog.close();
    bench.close();
  }

  /** Files that the catalog knows to be raided, and none of which has parity on HDFS. */
  private void files(int count) throws IOException {
    for (int i = 0; i < count; i++) {
      String path = "/many/f" + i;
      long inode = bench.cluster.createFile(path, RaidBench.BLOCK, new byte[10], i % 2 + 1);
      inodes.add(inode);
      catalog
          .files()
          .put(
              new FileRecord(
                  FileFacts.of(path, inode, 10, RaidBench.BLOCK, i % 2 + 1, NOW),
                  FileProgress.of(FileState.RAIDED, "test", NOW),
                  Optional.of(new Parity("rs-6-3", 3, i % 2 + 1, 1, 1, 10)),
                  NOW));
    }
  }

  private VanishedParity vanished(int percentOfSpace, int afterPauses) {
    return new VanishedParity(
        bench.cluster,
        reconciler,
        catalog,
        rule -> new SpaceUsage(pauses >= afterPauses ? percentOfSpace : 0, 100, 0),
        limits,
        pause -> pauses++,
        CLOCK);
  }

  private long raised() {
    return inodes.stream()
        .filter(inode -> bench.cluster.file(inode).orElseThrow().replication() == 3)
        .count();
  }

  /** As when the root is deleted right after the reduction, before its outcome was written down. */
  @Test
  void aFileIsRaisedWhoseParityWasDeletedWhileItWasReduced() throws IOException {
    Journal journal = new Journal(catalog, CLOCK, RaidEvents.NONE);
    CatalogReductions reductions = new CatalogReductions(catalog, journal, CLOCK);
    Pipelines daemon =
        bench.daemon(
            (step, subject) -> {
              if (step == RaidStep.REDUCED) {
                reductions.begin(bench.reductions.get(0));
                bench.cluster.deleteParity();
              }
            });
    assertThatThrownBy(() -> daemon.raider().raid(bench.inode, RaidBench.RS, RaidProgress.NONE))
        .isInstanceOf(IOException.class);
    assertThat(catalog.changedAccess().due(NOW, 10))
        .as("the rights of its parity are looked at once more")
        .containsOnlyKeys(bench.inode);

    vanished(0, 0).raise(new ParityIds());

    assertThat(bench.cluster.file(bench.inode).orElseThrow().replication()).isEqualTo(3);
    assertThat(reductions.wasUndone(bench.inode)).isTrue();
  }

  @Test
  void aFewAreRaisedAtOnceHoweverFullTheClusterIs() throws IOException {
    files(300);
    vanished(99, 0).raise(new ParityIds());
    assertThat(raised()).isEqualTo(300);
    assertThat(pauses).isZero();
    assertThat(VanishedParity.current(catalog.notes())).isEmpty();
  }

  @Test
  void theSettingsSayWhatManyIsAndHowFastTheyAreRaised() throws IOException {
    files(1_200);
    limits = new VanishedParity.Limits(0, 400, 50);

    vanished(51, 2).raise(new ParityIds());

    assertThat(raised()).as("two batches of 400").isEqualTo(800);
  }

  @Test
  void manyAreRaisedAtARateThoseAtRiskFirstAndNoneBeyondALevelOfFullness() throws IOException {
    files(1_200);

    vanished(86, 3).raise(new ParityIds());

    assertThat(raised()).as("three batches of 100").isEqualTo(300);
    assertThat(
            inodes.stream()
                .filter(inode -> bench.cluster.file(inode).orElseThrow().replication() == 2)
                .count())
        .as("those of two replicas wait")
        .isEqualTo(600);
    assertThat(VanishedParity.current(catalog.notes()))
        .contains(new VanishedParity.Loss(NOW, 1_200, 300, true));

    vanished(0, 0).raise(new ParityIds());

    assertThat(raised()).isEqualTo(1_200);
    assertThat(VanishedParity.current(catalog.notes())).as("900 are a few").isEmpty();
  }
}
