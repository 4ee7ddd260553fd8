// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.raiding.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.blockfixer.detect.IntegrityCheck;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.parity.ParityPhase;
import io.hdfsraid.drfs.step.StepListener;
import io.hdfsraid.drfs.stripe.StripeLocator;
import io.hdfsraid.erasurecode.codes.Codecs;
import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.RepairState;
import io.hdfsraid.raidnode.job.RaidBench;
import io.hdfsraid.raidnode.journal.Journal;
import io.hdfsraid.raidnode.journal.RaidEvents;
import io.hdfsraid.raidnode.raiding.Pipelines;
import io.hdfsraid.raidnode.raiding.core.RaidProgress;
import io.hdfsraid.raidnode.repair.IntegrityJob;
import io.hdfsraid.raidnode.repair.ReportedLossJob;
import io.hdfsraid.raidnode.repair.StripeChecks;
import io.hdfsraid.raidnode.repair.StripeHealthRecorder;
import io.hdfsraid.raidnode.upkeep.QuarantineJob;
import io.hdfsraid.raidnode.upkeep.ReconcileJob;
import io.hdfsraid.raidnode.worker.Workers;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An unraided file loses all replicas of a block while its parity is in quarantine. */
class NeededParityTest {
  private static final Clock CLOCK = Clock.systemUTC();

  @TempDir Path folder;

  private final RaidBench bench = new RaidBench();
  private final ExecutorService threads = Executors.newSingleThreadExecutor();
  private IntegrityJob integrity;
  private ReportedLossJob reportedLosses;
  private Catalog catalog;
  private Map<String, Integer> lost;

  @BeforeEach
  void loseABlock() throws IOException {
    catalog = Catalog.open(folder, CLOCK);
    Pipelines daemon = bench.daemon(StepListener.NONE);
    daemon.raider().raid(bench.inode, RaidBench.RS, RaidProgress.NONE);
    bench.settle(daemon);
    daemon.unraider().unraid(bench.inode);
    assertThat(bench.settle(daemon).state()).isEqualTo(FileState.LEFT);
    assertThat(bench.cluster.quarantined(bench.inode)).hasSize(1);
    LocatedBlock block = bench.cluster.file(bench.inode).orElseThrow().blocks().get(1);
    block
        .live()
        .forEach(replica -> bench.cluster.deleteReplica(block.block().id(), replica.node()));
    lost = Map.of(RaidBench.PATH, 1);
  }

  @AfterEach
  void close() {
    threads.shutdownNow();
    catalog.close();
    bench.close();
  }

  private void setUpJobs(Map<String, Integer> listed) {
    Pipelines daemon = bench.daemon(StepListener.NONE);
    Workers workers = new Workers(threads);
    Journal journal = new Journal(catalog, CLOCK, RaidEvents.NONE);
    ReconcileJob reconciler =
        new ReconcileJob(
            catalog,
            daemon.groupReconciler(),
            daemon.fileReconciler(),
            daemon.unraider(),
            workers,
            journal,
            CLOCK);
    QuarantineJob quarantine = new QuarantineJob(daemon.quarantine(), reconciler, catalog, journal);
    StripeChecks stripes =
        new StripeChecks(
            bench.cluster,
            bench.cluster,
            new IntegrityCheck(
                bench.cluster, new StripeLocator(Codecs::parse), bench.cluster, Runnable::run),
            reconciler,
            catalog,
            new StripeHealthRecorder(catalog, RaidEvents.NONE, CLOCK));
    integrity =
        new IntegrityJob(
            bench.cluster,
            stripes,
            reconciler,
            quarantine,
            RaidBench.vanished(bench.cluster, reconciler, catalog),
            catalog,
            workers,
            CLOCK);
    reportedLosses =
        new ReportedLossJob(() -> listed, stripes, quarantine, catalog, workers, CLOCK);
  }

  @Test
  void theIntegrityCheckPutsTheParityBackAlsoWhenTheNameNodeListsNothing() throws IOException {
    setUpJobs(Map.of());

    integrity.run();

    assertParityIsBackAndTheBlockWillBeRepaired();
  }

  @Test
  void theNameNodesListIsEnough() throws IOException {
    setUpJobs(lost);

    assertThat(reportedLosses.run()).isEqualTo(1);

    assertParityIsBackAndTheBlockWillBeRepaired();
  }

  private void assertParityIsBackAndTheBlockWillBeRepaired() throws IOException {
    assertThat(bench.cluster.quarantined(bench.inode)).isEmpty();
    assertThat(bench.cluster.find(bench.inode).orElseThrow().phase())
        .as("it goes back when it is not needed any more")
        .isEqualTo(ParityPhase.UNRAIDING);
    assertThat(catalog.repairs().list(Optional.empty(), 10))
        .extracting(RepairState::lost)
        .singleElement()
        .satisfies(units -> assertThat(units.size()).isEqualTo(1));
  }
}
