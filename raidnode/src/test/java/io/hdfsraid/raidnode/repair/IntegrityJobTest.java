// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.repair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsraid.blockfixer.detect.IntegrityCheck;
import io.hdfsraid.drfs.parity.ParityStore;
import io.hdfsraid.drfs.stripe.StripeLocator;
import io.hdfsraid.erasurecode.codes.Codecs;
import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.FileProgress;
import io.hdfsraid.raidnode.catalog.Notes;
import io.hdfsraid.raidnode.job.RaidBench;
import io.hdfsraid.raidnode.journal.Journal;
import io.hdfsraid.raidnode.journal.RaidEvents;
import io.hdfsraid.raidnode.raiding.Pipelines;
import io.hdfsraid.raidnode.raiding.core.RaidProgress;
import io.hdfsraid.raidnode.upkeep.DailyTurn;
import io.hdfsraid.raidnode.upkeep.QuarantineJob;
import io.hdfsraid.raidnode.upkeep.ReconcileJob;
import io.hdfsraid.raidnode.worker.Workers;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which parity a check looks at while the edit log tells of all changes. */
class IntegrityJobTest {
  private static final Clock CLOCK = Clock.systemUTC();

  /** Nothing has its turn in no time. */
  private static final DailyTurn NOBODY = new DailyTurn(Instant.EPOCH, Instant.EPOCH);

  private static final DailyTurn EVERYBODY =
      new DailyTurn(Instant.EPOCH, Instant.parse("2029-06-01T00:00:00Z"));

  @TempDir Path folder;

  private final RaidBench bench = new RaidBench();
  private final ExecutorService threads = Executors.newFixedThreadPool(2);
  private final Pipelines daemon = bench.daemon((step, subject) -> {});
  private final List<Long> looked = new ArrayList<>();
  private boolean listingFails;
  private Optional<String> accessRule = Optional.of("INHERIT");
  private Catalog catalog;
  private IntegrityJob job;

  @BeforeEach
  void raid() throws IOException {
    catalog = Catalog.open(folder, CLOCK);
    Journal journal = new Journal(catalog, CLOCK, RaidEvents.NONE);
    ReconcileJob reconciler =
        new ReconcileJob(
            catalog,
            daemon.groupReconciler(),
            daemon.fileReconciler(),
            daemon.unraider(),
            new Workers(threads),
            journal,
            CLOCK);
    ParityStore noting = noting();
    job =
        new IntegrityJob(
            noting,
            new StripeChecks(
                noting,
                bench.cluster,
                new IntegrityCheck(
                    bench.cluster, new StripeLocator(Codecs::parse), bench.cluster, Runnable::run),
                reconciler,
                catalog,
                new StripeHealthRecorder(catalog, RaidEvents.NONE, CLOCK)),
            reconciler,
            new QuarantineJob(daemon.quarantine(), reconciler, catalog, journal),
            RaidBench.vanished(noting, reconciler, catalog),
            catalog,
            new Workers(threads),
            CLOCK);
    journal.worked(
        "raid",
        bench.inode,
        daemon.raider().raid(bench.inode, RaidBench.RS, RaidProgress.NONE),
        "test");
    job.run();
    assertThat(state()).isEqualTo(FileState.RAIDED);
    looked.clear();
  }

  @AfterEach
  void close() {
    threads.shutdownNow();
    catalog.close();
    bench.close();
  }

  private ParityStore noting() {
    return (ParityStore)
        Proxy.newProxyInstance(
            ParityStore.class.getClassLoader(),
            new Class<?>[] {ParityStore.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("accessRefresh")) {
                return (ParityStore.AccessRefresh) this::look;
              }
              if (method.getName().equals("accessRule")) {
                return accessRule;
              }
              try {
                Object answer = method.invoke(bench.cluster, arguments);
                if (listingFails && method.getName().equals("forEach")) {
                  throw new IOException("standby");
                }
                return answer;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private void look(long id) {
    synchronized (looked) {
      looked.add(id);
    }
  }

  private FileState state() {
    return catalog.files().find(bench.inode).orElseThrow().state();
  }

  @Test
  void whatIsRaidedAndWholeWaitsForItsTurn() throws IOException {
    job.run(NOBODY);
    assertThat(looked).isEmpty();
    job.run(EVERYBODY);
    assertThat(looked).containsExactly(bench.inode);
  }

  /** As after Ranger was switched on: parity is readable as the files are, and must not be. */
  @Test
  void nothingWaitsWhenOthersMayReadParityThanBefore() throws IOException {
    accessRule = Optional.of("DAEMON_ONLY");
    job.run(NOBODY);
    assertThat(looked).containsExactly(bench.inode);

    job.run(NOBODY);
    accessRule = Optional.empty(); // not known now
    job.run(NOBODY);
    assertThat(looked).as("not again").hasSize(1);
  }

  @Test
  void whatIsBetweenTwoStatesDoesNotWait() throws IOException {
    var unused =
        catalog
            .files()
            .update(
                bench.inode,
                file -> file.with(FileProgress.of(FileState.REDUCED, "test", Instant.now())));
    job.run(NOBODY);
    assertThat(looked).containsExactly(bench.inode);
    assertThat(state()).isEqualTo(FileState.RAIDED);
  }

  @Test
  void whatTheCatalogDoesNotKnowDoesNotWait() throws IOException {
    catalog.files().forget(bench.inode);
    job.run(NOBODY);
    assertThat(looked).containsExactly(bench.inode);
    assertThat(state()).isEqualTo(FileState.RAIDED);
  }

  @Test
  void whatHasLossesDoesNotWait() throws IOException {
    bench.cluster.kill(
        bench.cluster.file(bench.inode).orElseThrow().blocks().get(0).live().get(0).node());
    job.run(EVERYBODY);
    assertThat(catalog.repairs().list(Optional.empty(), 10)).isNotEmpty();
    looked.clear();
    job.run(NOBODY);
    assertThat(looked).containsExactly(bench.inode);
  }

  @Test
  void parityThatCannotBeReadKeepsItsRepairsAndKeepsNoCheckFromItsEnd() throws IOException {
    bench.cluster.kill(
        bench.cluster.file(bench.inode).orElseThrow().blocks().get(0).live().get(0).node());
    job.run();
    int repairs = catalog.repairs().list(Optional.empty(), 10).size();
    assertThat(repairs).isPositive();
    catalog.notes().remove(Notes.LAST_CHECK);
    bench.cluster.upgradeManifest(bench.inode);

    job.run();

    assertThat(catalog.notes().instant(Notes.LAST_CHECK)).isPresent();
    assertThat(catalog.repairs().list(Optional.empty(), 10)).hasSize(repairs);
  }

  @Test
  void theNextTurnBeginsWhereTheLastOneEndedHoweverLongTheCheckTook() throws IOException {
    job.run(EVERYBODY);
    assertThat(catalog.notes().instant(Notes.LAST_CHECK)).contains(EVERYBODY.until());
  }

  @Test
  void onlyACheckOfAllParityIsNotedAsFull() throws IOException {
    catalog.notes().instant(Notes.LAST_FULL_CHECK, Instant.EPOCH);
    job.run(NOBODY);
    assertThat(catalog.notes().instant(Notes.LAST_FULL_CHECK)).contains(Instant.EPOCH);
    job.run(EVERYBODY);
    assertThat(catalog.notes().instant(Notes.LAST_FULL_CHECK)).contains(EVERYBODY.until());
    Instant before = CLOCK.instant();
    job.run();
    assertThat(catalog.notes().instant(Notes.LAST_FULL_CHECK).orElseThrow())
        .isBetween(before, CLOCK.instant());
  }

  @Test
  void whatAnInterruptedCheckHasMetIsNoLongerBelieved() throws IOException {
    listingFails = true;
    assertThatThrownBy(() -> job.run(NOBODY)).hasMessage("standby");
    listingFails = false;
    assertThat(bench.cluster.quarantine(bench.cluster.find(bench.inode).orElseThrow())).isTrue();

    job.run(NOBODY);

    assertThat(bench.cluster.file(bench.inode).orElseThrow().replication()).isEqualTo(3);
  }

  @Test
  void parityThatIsGoneIsFoundInAnyCase() throws IOException {
    assertThat(bench.cluster.quarantine(bench.cluster.find(bench.inode).orElseThrow())).isTrue();
    job.run(NOBODY);
    assertThat(bench.cluster.file(bench.inode).orElseThrow().replication()).isEqualTo(3);
  }
}
