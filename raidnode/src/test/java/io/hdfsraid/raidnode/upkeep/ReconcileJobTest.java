// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.upkeep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsraid.blockfixer.detect.IntegrityCheck;
import io.hdfsraid.blockfixer.placement.ParityBytes;
import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.manifest.NewerManifestException;
import io.hdfsraid.drfs.parity.ParityFile;
import io.hdfsraid.drfs.parity.ParityStore;
import io.hdfsraid.drfs.step.StepListener;
import io.hdfsraid.drfs.stripe.StripeLocator;
import io.hdfsraid.erasurecode.UnitSet;
import io.hdfsraid.erasurecode.codes.Codecs;
import io.hdfsraid.policies.FileFacts;
import io.hdfsraid.policies.Reason;
import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidapi.quarantine.QuarantineRequest;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.DegradedStripe;
import io.hdfsraid.raidnode.catalog.FileProgress;
import io.hdfsraid.raidnode.catalog.FileRecord;
import io.hdfsraid.raidnode.catalog.Notes;
import io.hdfsraid.raidnode.catalog.Parity;
import io.hdfsraid.raidnode.catalog.RepairState;
import io.hdfsraid.raidnode.catalog.ScrubDepth;
import io.hdfsraid.raidnode.catalog.ScrubRecord.Progress;
import io.hdfsraid.raidnode.catalog.StripeKey;
import io.hdfsraid.raidnode.job.RaidBench;
import io.hdfsraid.raidnode.journal.AuditPass;
import io.hdfsraid.raidnode.journal.Journal;
import io.hdfsraid.raidnode.journal.RaidEvents;
import io.hdfsraid.raidnode.mode.OperatingMode;
import io.hdfsraid.raidnode.raiding.Pipelines;
import io.hdfsraid.raidnode.raiding.core.FileInWorkException;
import io.hdfsraid.raidnode.raiding.core.FileMarks;
import io.hdfsraid.raidnode.raiding.core.FilesInWork;
import io.hdfsraid.raidnode.raiding.core.RaidOutcome;
import io.hdfsraid.raidnode.raiding.core.RaidProgress;
import io.hdfsraid.raidnode.raiding.core.RaidStep;
import io.hdfsraid.raidnode.raiding.file.Quarantine;
import io.hdfsraid.raidnode.repair.IntegrityJob;
import io.hdfsraid.raidnode.repair.StripeChecks;
import io.hdfsraid.raidnode.repair.StripeHealthRecorder;
import io.hdfsraid.raidnode.rest.ApiFailure;
import io.hdfsraid.raidnode.rest.quarantine.QuarantineService;
import io.hdfsraid.raidnode.rest.tasks.TaskQueue;
import io.hdfsraid.raidnode.rest.tasks.Tasks;
import io.hdfsraid.raidnode.schedule.KnownTrouble;
import io.hdfsraid.raidnode.worker.Workers;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Rounds over what the catalog lists: who is reached, who waits, and what is written down. */
class ReconcileJobTest {
  private static final Clock CLOCK = Clock.systemUTC();

  /** More than are looked at in one round. */
  private static final int MANY = 10_100;

  @TempDir Path folder;

  private final RaidBench bench = new RaidBench();
  private final ExecutorService threads = Executors.newFixedThreadPool(2);
  private Action whenSpread = () -> {};
  private final Pipelines daemon =
      bench.daemon(
          (step, subject) -> {
            if (step == RaidStep.SPREAD) {
              whenSpread.run();
            }
          });
  private Catalog catalog;
  private ReconcileJob round;

  private interface Action {
    void run();
  }

  @BeforeEach
  void raid() throws IOException {
    catalog = Catalog.open(folder, CLOCK);
    round = round();
    journal()
        .worked(
            "raid",
            bench.inode,
            daemon.raider().raid(bench.inode, RaidBench.RS, RaidProgress.NONE),
            "test");
    round.run();
    assertThat(status()).isEqualTo(FileState.RAIDED);
  }

  @AfterEach
  void close() {
    threads.shutdownNow();
    catalog.close();
    bench.close();
  }

  private Journal journal() {
    return new Journal(catalog, CLOCK, RaidEvents.NONE);
  }

  private ReconcileJob round() {
    return new ReconcileJob(
        catalog,
        daemon.groupReconciler(),
        daemon.fileReconciler(),
        daemon.unraider(),
        new Workers(threads),
        journal(),
        CLOCK);
  }

  private QuarantineJob quarantine(Quarantine quarantine) {
    return new QuarantineJob(quarantine, round, catalog, journal());
  }

  private FileRecord record() {
    return catalog.files().find(bench.inode).orElseThrow();
  }

  private FileState status() {
    return record().state();
  }

  /** Reduced files, of which nothing can come. */
  private void listManyThatAreStuck() {
    List<FileRecord> files = new ArrayList<>();
    for (long inode = 1; inode <= MANY; inode++) {
      files.add(
          new FileRecord(
              FileFacts.of("/stuck/" + inode, inode, 1, 1, 1, Instant.EPOCH),
              FileProgress.of(FileState.REDUCED, "test", CLOCK.instant())
                  .until(CLOCK.instant().plus(Duration.ofHours(1))),
              Optional.of(new Parity("rs-6-3", 3, 1, 1, 1, 1)),
              CLOCK.instant()));
    }
    catalog.files().putAll(files);
  }

  @Test
  void whatIsUnraidedIsReachedHoweverMuchIsStuck() throws IOException {
    listManyThatAreStuck();
    bench.condemned.put(
        bench.cluster.file(bench.inode).orElseThrow().blocks().get(0).block().id(), 2);
    round.unraid(bench.inode, "operator");
    assertThat(status()).isEqualTo(FileState.UNRAIDING);
    bench.condemned.clear();

    assertThat(round.run()).as("the stuck ones are left").isEqualTo(1);

    assertThat(status()).isEqualTo(FileState.LEFT);
  }

  @Test
  void aRoundGoesOnWhereTheOneBeforeEnded() throws IOException {
    listManyThatAreStuck();
    catalog
        .files()
        .update(
            bench.inode,
            file -> file.with(FileProgress.of(FileState.REDUCED, "test", CLOCK.instant())));

    assertThat(round.run()).isZero();
    assertThat(round.run()).isEqualTo(1);

    assertThat(status()).isEqualTo(FileState.RAIDED);
  }

  /** All data on two nodes: whatever the stripes are, some share. */
  private void makeUnitsShareNodesThatRefuseToMoveThem() {
    bench.refuseMoves = true;
    List<LocatedBlock> blocks = bench.cluster.file(bench.inode).orElseThrow().blocks();
    List<DataNode> nodes =
        List.of(blocks.get(0).live().get(0).node(), blocks.get(1).live().get(0).node());
    for (int i = 0; i < blocks.size(); i++) {
      bench.cluster.place(blocks.get(i).block().id(), nodes.get(i % 2));
    }
  }

  /** A DataNode copies no rotten replica, and does not say that it is one. */
  @Test
  void whatDataNodesRefuseToMoveIsReadSoonUnlessItWasOfLate() throws IOException {
    makeUnitsShareNodesThatRefuseToMoveThem();
    catalog.scrubs().meet(bench.inode, CLOCK.instant());
    for (int daysAgo : new int[] {6, 8}) {
      Instant read = CLOCK.instant().minus(Duration.ofDays(daysAgo));
      catalog
          .scrubs()
          .update(
              bench.inode, known -> known.with(ScrubDepth.DEEP, Progress.NONE.finish(read, read)));

      round.reconcile(bench.inode, "test");

      assertThat(status()).isEqualTo(FileState.REDUCED);
      assertThat(catalog.scrubs().find(bench.inode).orElseThrow().deep().done().isEmpty())
          .as("to be read again, last read %d days ago", daysAgo)
          .isEqualTo(daysAgo == 8);
    }
  }

  @Test
  void whatIsStuckIsLeftForAWhileAlsoByTheNextDaemon() throws IOException {
    makeUnitsShareNodesThatRefuseToMoveThem();
    round.reconcile(bench.inode, "test");
    assertThat(status()).isEqualTo(FileState.REDUCED);
    assertThat(record().progress().changesAt()).isPresent();

    assertThat(round().run()).as("under way").isZero();

    bench.refuseMoves = false;
    catalog.files().update(bench.inode, file -> file.with(file.progress().until(CLOCK.instant())));
    assertThat(round().run()).isEqualTo(1);
  }

  @Test
  void whatWasStuckIsLookedAtWhenARepairHasEnded() throws IOException {
    makeUnitsShareNodesThatRefuseToMoveThem();
    round.reconcile(bench.inode, "test");
    assertThat(round.run()).as("under way").isZero();
    assertThat(status()).isEqualTo(FileState.REDUCED);

    StripeKey stripe = new StripeKey(bench.inode + 1, 0);
    catalog
        .repairs()
        .put(
            new RepairState.Waiting(
                new DegradedStripe(
                    stripe,
                    bench.inode,
                    "/a",
                    "rs-6-3",
                    UnitSet.of(1),
                    2,
                    "REPORT",
                    CLOCK.instant(),
                    0,
                    0),
                ""));
    assertThat(round.run()).as("while the repair waits").isZero();
    catalog.repairs().remove(stripe);

    assertThat(round.run()).isEqualTo(1);
    assertThat(round.run()).as("it is stuck again").isZero();
  }

  @Test
  void whatAnOperatorUnraidsWhileSomebodyIsAtWorkOnItIsUnraidedLater() throws IOException {
    List<Throwable> busy = new ArrayList<>();
    whenSpread =
        () -> {
          catalog.files().update(bench.inode, FileRecord::unraidedByOperator);
          try {
            round.unraid(bench.inode, "operator");
          } catch (IOException e) {
            busy.add(e);
          }
        };
    round.reconcile(bench.inode, "test");
    assertThat(busy).singleElement().isInstanceOf(FileInWorkException.class);
    assertThat(status()).isEqualTo(FileState.RAIDED);
    assertThat(lines("unraid")).as("lines of history").isEqualTo(1);
    whenSpread = () -> {};

    round.run();

    assertThat(status()).isEqualTo(FileState.LEFT);
    assertThat(bench.cluster.find(bench.inode)).isEmpty();
    round.run();
    assertThat(status()).as("it stays unraided").isEqualTo(FileState.LEFT);
  }

  @ParameterizedTest
  @EnumSource(Asked.class)
  void whoseParitySomebodyDeletedHasItsReplicasBackBeforeThatIsForgotten(Asked asked)
      throws IOException {
    bench.cluster.quarantine(bench.inode);
    bench.cluster.purge(bench.cluster.quarantined(bench.inode).get(0));
    catalog
        .files()
        .update(
            bench.inode,
            file -> file.with(FileProgress.of(FileState.UNRAIDING, "test", CLOCK.instant())));

    switch (asked) {
      case TO_LET_IT_GO -> round.unraid(bench.inode, "operator");
      case TO_ATTEND -> round.run();
    }

    assertThat(bench.cluster.file(bench.inode).orElseThrow().replication()).isEqualTo(3);
    assertThat(record().progress().reason()).contains(Reason.PARITY_GONE);
  }

  private enum Asked {
    TO_LET_IT_GO,
    TO_ATTEND
  }

  private int lines(String event) {
    return catalog
        .history()
        .newest(
            Optional.empty(), line -> line.event().equals(event) && !line.succeeded(), 100, 10_000)
        .size();
  }

  @Test
  void aRestoreThatMetABusyFileLeavesALineOfHistory() throws IOException {
    round.unraid(bench.inode, "operator");
    round.run();
    ParityFile kept = bench.cluster.quarantined(bench.inode).get(0);
    FilesInWork busy = new FilesInWork();
    Quarantine quarantine =
        new Quarantine(
            bench.access(bench.cluster),
            bench.lost(),
            bench.memberships,
            Duration.ZERO,
            busy,
            StepListener.NONE);

    busy.alone(
        bench.inode,
        () -> {
          assertThatThrownBy(() -> quarantine(quarantine).restore(kept, "operator"))
              .isInstanceOf(FileInWorkException.class);
          return RaidOutcome.at(FileState.LEFT, "");
        });

    assertThat(lines("parity-restored")).isEqualTo(1);
  }

  @Test
  void nothingIsRestoredWhileEverythingIsUnraided() throws IOException {
    TaskQueue queue = new TaskQueue(new Tasks(catalog.tasks(), CLOCK), KnownTrouble.NONE, 1);
    OperatingMode mode = new OperatingMode(catalog.notes(), CLOCK);
    QuarantineService requests =
        new QuarantineService(
            quarantine(daemon.quarantine()),
            mode,
            catalog,
            new UnraidedByHand(catalog.files(), FileMarks.NONE),
            queue);
    round.unraid(bench.inode, "operator");
    round.run();
    mode.withdraw(OperatingMode.Withdrawal.UNRAID);

    assertThatThrownBy(() -> requests.restore(new QuarantineRequest("/", false), "alice"))
        .isInstanceOf(ApiFailure.class)
        .hasMessageContaining("being unraided");
    assertThat(bench.cluster.find(bench.inode)).isEmpty();

    mode.resume();
    requests.restore(new QuarantineRequest("/", false), "alice");
    queue.finish();
    assertThat(bench.cluster.find(bench.inode)).isPresent();
  }

  @Test
  void aGroupIsAuditedOnceHoweverManyOfItsMembersThePassMeets() throws IOException {
    List<Long> members = new ArrayList<>();
    Random random = new Random(5);
    for (int i = 0; i < 8; i++) {
      byte[] bytes = new byte[1_000 + 211 * i];
      random.nextBytes(bytes);
      members.add(bench.cluster.createFile("/small/f" + i, RaidBench.BLOCK, bytes, 3));
    }
    journal()
        .worked(
            "raid",
            daemon.groupRaider().raid(members, RaidBench.RS, 10, RaidProgress.NONE),
            "test");
    round.run();
    assertThat(catalog.files().find(members.get(7)).orElseThrow().state())
        .isEqualTo(FileState.RAIDED);
    List<Long> ids = new ArrayList<>();
    bench.cluster.forEach(ids::add);
    int stripes = 0;
    for (long id : ids) {
      stripes += bench.cluster.find(id).orElseThrow().manifest().stripes().size();
    }
    assertThat(ids).as("a file and a group").hasSize(2);

    new PlacementJob(
            catalog,
            round,
            new Workers(threads),
            new ParityBytes(),
            () -> 3,
            pause -> {},
            RaidEvents.NONE,
            CLOCK)
        .run();

    AuditPass pass = PlacementJob.pass(catalog.notes()).orElseThrow();
    assertThat(pass.files()).isEqualTo(9);
    assertThat(pass.failed()).isZero();
    assertThat(pass.stripes()).isEqualTo(stripes);
  }

  /** Shows a time that is a year earlier at each look. */
  private static final class SetBackAtEachLook extends Clock {
    private Instant now = CLOCK.instant();

    @Override
    public Instant instant() {
      now = now.minus(Duration.ofDays(365));
      return now;
    }

    @Override
    public ZoneId getZone() {
      return CLOCK.getZone();
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }
  }

  @Test
  void anAuditPausesNoLongerBecauseTheClockIsSetBack() throws IOException {
    List<Duration> pauses = new ArrayList<>();

    new PlacementJob(
            catalog,
            round,
            new Workers(threads),
            new ParityBytes(),
            () -> 3,
            pauses::add,
            RaidEvents.NONE,
            new SetBackAtEachLook())
        .run();

    assertThat(pauses)
        .isNotEmpty()
        .allSatisfy(pause -> assertThat(pause).isLessThanOrEqualTo(Duration.ofSeconds(1)));
    assertThat(PlacementJob.pass(catalog.notes()).orElseThrow().worked()).isEqualTo(Duration.ZERO);
  }

  @Test
  void whatIsInQuarantineDoesNotStandBeforeTheCheckOfWhatIsRaided() throws IOException {
    LocatedBlock block = bench.cluster.file(bench.inode).orElseThrow().blocks().get(0);
    bench.cluster.kill(block.live().get(0).node());
    ParityStore unlistable =
        (ParityStore)
            Proxy.newProxyInstance(
                ParityStore.class.getClassLoader(),
                new Class<?>[] {ParityStore.class},
                (proxy, method, arguments) -> {
                  if (method.getName().equals("forEachQuarantined")) {
                    throw new IOException("takes for ever");
                  }
                  return method.invoke(bench.cluster, arguments);
                });
    Quarantine endless =
        new Quarantine(
            bench.access(unlistable),
            bench.lost(),
            bench.memberships,
            Duration.ZERO,
            new FilesInWork(),
            StepListener.NONE);
    IntegrityJob integrity =
        new IntegrityJob(
            bench.cluster,
            new StripeChecks(
                bench.cluster,
                bench.cluster,
                new IntegrityCheck(
                    bench.cluster, new StripeLocator(Codecs::parse), bench.cluster, Runnable::run),
                round,
                catalog,
                new StripeHealthRecorder(catalog, RaidEvents.NONE, CLOCK)),
            round,
            quarantine(endless),
            RaidBench.vanished(bench.cluster, round, catalog),
            catalog,
            new Workers(threads),
            CLOCK);

    assertThatThrownBy(integrity::run).hasMessageContaining("takes for ever");

    assertThat(catalog.repairs().list(Optional.empty(), 10)).as("losses written down").isNotEmpty();
    assertThat(catalog.notes().instant(Notes.LAST_CHECK)).isPresent();
  }

  /** As far as the catalog knows it has one replica of three, and no parity. */
  @Test
  void aFileWhoseParityIsGoneGetsItsReplicasBackBeforeItIsRaidedAgain() throws IOException {
    round.restoreIfParityIsGone(bench.inode, "test");
    assertThat(bench.cluster.file(bench.inode).orElseThrow().replication())
        .as("its parity is there")
        .isEqualTo(1);

    bench.cluster.deleteParity();
    round.restoreIfParityIsGone(bench.inode, "test");

    assertThat(bench.cluster.file(bench.inode).orElseThrow().replication()).isEqualTo(3);
    assertThat(record().progress().reason()).contains(Reason.PARITY_GONE);
  }

  /** Somebody had moved it away, and has moved it back. */
  @Test
  void aFileThatWasRaisedWithoutItsParityIsReducedAgainWhenTheParityIsBack() throws IOException {
    ParityFile parity = bench.cluster.find(bench.inode).orElseThrow();
    assertThat(bench.cluster.quarantine(parity)).isTrue();
    round.unprotected(bench.inode, "Its parity file is gone from HDFS", "test");
    assertThat(bench.cluster.file(bench.inode).orElseThrow().replication()).isEqualTo(3);
    bench.cluster.replicate();
    assertThat(bench.cluster.restore(bench.cluster.quarantined(bench.inode).get(0))).isTrue();

    round.protect(bench.inode, "test");
    assertThat(record().progress().reason())
        .as("that we have raised it")
        .contains(Reason.PARITY_GONE);
    for (int i = 0; i < 4; i++) {
      round.reconcile(bench.inode, "test");
      bench.cluster.replicate();
    }

    assertThat(bench.cluster.file(bench.inode).orElseThrow().replication()).isEqualTo(1);
    assertThat(status()).isEqualTo(FileState.RAIDED);
  }

  /** A daemon that was set back to an older version must not raise everything. */
  @Test
  void parityOfANewerVersionIsAnAlarmAndNothingIsRaised() throws IOException {
    bench.cluster.upgradeManifest(bench.inode);
    assertThatThrownBy(() -> round.reconcile(bench.inode, "test"))
        .isInstanceOf(NewerManifestException.class)
        .hasMessageContaining("upgrade");
    assertThat(bench.cluster.file(bench.inode).orElseThrow().replication()).isEqualTo(1);
    assertThat(status()).isEqualTo(FileState.RAIDED);
    assertThat(record().progress().reason()).isEmpty();
  }
}
