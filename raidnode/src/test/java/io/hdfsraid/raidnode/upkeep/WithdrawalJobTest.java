// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.upkeep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.hdfs.InodePath;
import io.hdfsraid.drfs.namespace.LocatedFile;
import io.hdfsraid.drfs.parity.AbandonedBlocks;
import io.hdfsraid.drfs.parity.GroupId;
import io.hdfsraid.drfs.parity.ParityFile;
import io.hdfsraid.drfs.parity.ParityStore;
import io.hdfsraid.drfs.step.StepListener;
import io.hdfsraid.erasurecode.UnitSet;
import io.hdfsraid.raidapi.ChangePreview;
import io.hdfsraid.raidapi.ChangePreview.Outcome;
import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidapi.mode.PauseRequest;
import io.hdfsraid.raidapi.mode.WithdrawRequest;
import io.hdfsraid.raidapi.tasks.TaskReport;
import io.hdfsraid.raidapi.tasks.TaskState;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.DegradedStripe;
import io.hdfsraid.raidnode.catalog.RepairState;
import io.hdfsraid.raidnode.catalog.StripeKey;
import io.hdfsraid.raidnode.job.RaidBench;
import io.hdfsraid.raidnode.journal.Journal;
import io.hdfsraid.raidnode.journal.RaidEvents;
import io.hdfsraid.raidnode.mode.OperatingMode;
import io.hdfsraid.raidnode.mode.OperatingMode.Withdrawal;
import io.hdfsraid.raidnode.raiding.Pipelines;
import io.hdfsraid.raidnode.raiding.core.FilesInWork;
import io.hdfsraid.raidnode.raiding.core.RaidProgress;
import io.hdfsraid.raidnode.raiding.core.RaidStep;
import io.hdfsraid.raidnode.raiding.core.UnraidStep;
import io.hdfsraid.raidnode.raiding.file.Quarantine;
import io.hdfsraid.raidnode.raiding.group.GroupOutcome;
import io.hdfsraid.raidnode.rest.mode.ModeService;
import io.hdfsraid.raidnode.rest.tasks.TaskQueue;
import io.hdfsraid.raidnode.rest.tasks.Tasks;
import io.hdfsraid.raidnode.schedule.KnownTrouble;
import io.hdfsraid.raidnode.worker.Workers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A withdrawal unraids everything, in as many runs as it takes, whatever fails or dies. */
class WithdrawalJobTest {
  private static final Clock CLOCK = Clock.systemUTC();

  @TempDir Path folder;

  private final RaidBench bench = new RaidBench();
  private final ExecutorService threads = Executors.newSingleThreadExecutor();
  private Catalog catalog;
  private OperatingMode mode;

  @BeforeEach
  void raid() throws IOException {
    catalog = Catalog.open(folder, CLOCK);
    mode = new OperatingMode(catalog.notes(), CLOCK);
    Pipelines daemon = bench.daemon(StepListener.NONE);
    daemon.raider().raid(bench.inode, RaidBench.RS, RaidProgress.NONE);
    assertThat(bench.settle(daemon).state()).isEqualTo(FileState.RAIDED);
    journal()
        .worked("reconcile", bench.inode, daemon.fileReconciler().reconcile(bench.inode), "test");
    assertThat(catalog.files().find(bench.inode).orElseThrow().state()).isEqualTo(FileState.RAIDED);
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

  /** The rounds of a daemon that has just started. */
  private final class Rounds {
    private final ReconcileJob reconciler;
    private final WithdrawalJob withdrawal;
    private final Quarantine quarantine;

    Rounds(StepListener steps) {
      this(bench.daemon(steps));
    }

    private Rounds(Pipelines daemon) {
      this(daemon, daemon.quarantine());
    }

    Rounds(Pipelines daemon, Quarantine quarantine) {
      Workers workers = new Workers(threads);
      this.quarantine = quarantine;
      reconciler =
          new ReconcileJob(
              catalog,
              daemon.groupReconciler(),
              daemon.fileReconciler(),
              daemon.unraider(),
              workers,
              journal(),
              CLOCK);
      withdrawal =
          new WithdrawalJob(
              mode,
              bench.cluster,
              bench.cluster::removeDirectories,
              reconciler,
              new QuarantineJob(quarantine, reconciler, catalog, journal()),
              daemon.abandonment(),
              catalog,
              workers,
              journal());
    }

    void run(int rounds) throws IOException {
      for (int round = 0; round < rounds; round++) {
        bench.cluster.replicate();
        withdrawal.run();
        reconciler.run();
      }
    }
  }

  @Test
  void nothingHappensUnlessSomebodyWantsIt() throws IOException {
    new Rounds(StepListener.NONE).run(5);

    assertThat(source().replication()).isEqualTo(1);
    assertThat(bench.cluster.footprint().committed()).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource(Withdrawal.class)
  void everythingIsUnraidedAsFarAsItIsWantedAndPoliciesStayPaused(Withdrawal how)
      throws IOException {
    mode.withdraw(how);

    new Rounds(StepListener.NONE).run(6);

    assertThat(source().replication()).isEqualTo(3);
    assertThat(source().blocks()).allSatisfy(block -> assertThat(block.live()).hasSize(3));
    assertThat(bench.cluster.footprint().committed()).isZero();
    assertThat(bench.cluster.footprint().quarantined()).isEqualTo(how == Withdrawal.UNRAID ? 1 : 0);
    assertThat(bench.cluster.footprint().root()).isEqualTo(how != Withdrawal.REMOVE_ROOT);
    assertThat(mode.gone().isPresent()).isEqualTo(how == Withdrawal.REMOVE_ROOT);
    assertThat(mode.withdrawal()).as("it has come to its end").isEmpty();
    assertThat(mode.paused()).isPresent();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void groupsAreUnraidedAsAWholeAndNotEncodedAgainOnTheWay(boolean known) throws IOException {
    List<Long> members = new ArrayList<>();
    for (int i = 0; i < 14; i++) {
      byte[] bytes = new byte[1_000 + 211 * i];
      Arrays.fill(bytes, (byte) (i + 1));
      members.add(bench.cluster.createFile("/small/" + i, RaidBench.BLOCK, bytes, 3));
    }
    Pipelines daemon = bench.daemon(StepListener.NONE);
    GroupOutcome raided = daemon.groupRaider().raid(members, RaidBench.RS, 10, RaidProgress.NONE);
    assertThat(raided.isAt(FileState.REDUCED)).as("%s", raided).isTrue();
    if (known) {
      journal().worked("raid", raided, "test");
    } else {
      bench.memberships.forgetEverything();
    }
    long written = bench.cluster.parityBytesWritten();
    mode.withdraw(Withdrawal.REMOVE_ROOT);

    new Rounds(StepListener.NONE).run(8);

    for (long member : members) {
      LocatedFile file = bench.cluster.file(member).orElseThrow();
      assertThat(file.replication()).isEqualTo(3);
      assertThat(file.blocks()).allSatisfy(block -> assertThat(block.live()).hasSize(3));
      assertThat(bench.cluster.hintOf(member)).isEmpty();
      assertThat(catalog.files().find(member).orElseThrow().state()).isEqualTo(FileState.LEFT);
    }
    assertThat(bench.cluster.footprint().root()).isFalse();
    assertThat(bench.cluster.parityBytesWritten()).as("encoded again").isEqualTo(written);
    List<Long> records = new ArrayList<>();
    catalog.files().all(-1, file -> records.add(file.inode()));
    assertThat(records).as("files in the catalog").noneMatch(GroupId::isGroup);
  }

  @Test
  void parityThatTheCatalogDoesNotKnowOfIsFoundOnHdfs() throws IOException {
    catalog.files().forget(bench.inode);
    mode.withdraw(Withdrawal.REMOVE_ROOT);

    new Rounds(StepListener.NONE).run(6);

    assertThat(bench.cluster.footprint().root()).isFalse();
    assertThat(source().replication()).isEqualTo(3);
  }

  @Test
  void parityThatABlockNeedsStaysAndItIsSaidWhyUntilItIsNotNeeded() throws IOException {
    mode.withdraw(Withdrawal.UNRAID);
    Rounds rounds = new Rounds(StepListener.NONE);
    rounds.run(6);
    LocatedBlock block = source().blocks().get(0);
    bench.cluster.deleteReplica(block.block().id(), block.live().get(0).node());
    mode.withdraw(Withdrawal.REMOVE_ROOT);

    rounds.withdrawal.run();

    assertThat(rounds.withdrawal.waiting())
        .singleElement()
        .asString()
        .contains("blk_" + block.block().id(), "2 live replicas, not 3");
    assertThat(bench.cluster.footprint().quarantined()).isEqualTo(1);
    assertThat(mode.withdrawal()).contains(Withdrawal.REMOVE_ROOT);

    rounds.run(1);
    assertThat(rounds.withdrawal.waiting()).isEmpty();
    assertThat(bench.cluster.footprint().root()).isFalse();
  }

  @Test
  void parityThatIsNeededKeepsNoOtherFromBeingPurgedHoweverMuchOfItThereIs() throws Exception {
    Pipelines daemon = bench.daemon(StepListener.NONE);
    long other = bench.cluster.createFile("/warehouse/other", RaidBench.BLOCK, bench.content, 3);
    daemon.raider().raid(other, RaidBench.RS, RaidProgress.NONE);
    mode.withdraw(Withdrawal.UNRAID);
    new Rounds(StepListener.NONE).run(6);
    assertThat(bench.cluster.footprint().quarantined()).isEqualTo(2);
    LocatedBlock block = source().blocks().get(0);
    bench.cluster.deleteReplica(block.block().id(), block.live().get(0).node());
    mode.withdraw(Withdrawal.PURGE);
    Rounds rounds = new Rounds(daemon, quarantineThatIsFullOf(bench.inode, 2_000));

    rounds.withdrawal.run();

    assertThat(bench.cluster.quarantined(other)).isEmpty();
    assertThat(bench.cluster.quarantined(bench.inode)).hasSize(1);
    assertThat(rounds.withdrawal.waiting()).isNotEmpty().hasSizeLessThan(100);
    assertThat(mode.withdrawal()).as("it goes on").contains(Withdrawal.PURGE);
    assertThat(purges(bench.inode)).as("what is kept again and again fills no history").isZero();
    assertThat(purges(other)).isEqualTo(1);
  }

  @Test
  void resumedWhileItPurgesItLeavesTheRest() throws Exception {
    Pipelines daemon = bench.daemon(StepListener.NONE);
    long other = bench.cluster.createFile("/warehouse/other", RaidBench.BLOCK, bench.content, 3);
    daemon.raider().raid(other, RaidBench.RS, RaidProgress.NONE);
    mode.withdraw(Withdrawal.UNRAID);
    new Rounds(StepListener.NONE).run(6);
    mode.withdraw(Withdrawal.PURGE);
    Pipelines resumed =
        bench.daemon(
            (step, subject) -> {
              if (step == UnraidStep.PURGED) {
                mode.resume();
              }
            });

    new Rounds(resumed, resumed.quarantine()).withdrawal.run();

    assertThat(bench.cluster.footprint().quarantined()).isEqualTo(1);
    assertThat(mode.withdrawal()).isEmpty();
  }

  @Test
  void resumedWhenTheLastParityIsPurgedItLeavesTheRoot() throws Exception {
    mode.withdraw(Withdrawal.UNRAID);
    new Rounds(StepListener.NONE).run(6);
    mode.withdraw(Withdrawal.REMOVE_ROOT);
    Pipelines resumed =
        bench.daemon(
            (step, subject) -> {
              if (step == UnraidStep.PURGED) {
                mode.resume();
              }
            });

    new Rounds(resumed, resumed.quarantine()).withdrawal.run();

    assertThat(bench.cluster.footprint().quarantined()).isZero();
    assertThat(bench.cluster.footprint().root()).isTrue();
    assertThat(mode.gone()).isEmpty();
  }

  /** Shows the parity of this file so often before all else. */
  private Quarantine quarantineThatIsFullOf(long inode, int times) {
    ParityStore full =
        (ParityStore)
            Proxy.newProxyInstance(
                ParityStore.class.getClassLoader(),
                new Class<?>[] {ParityStore.class},
                (proxy, method, arguments) -> {
                  if (method.getName().equals("forEachQuarantined")) {
                    ParityFile first = bench.cluster.quarantined(inode).get(0);
                    Stream.generate(() -> first).limit(times).forEach(consumer(arguments[0]));
                  }
                  return method.invoke(bench.cluster, arguments);
                });
    return new Quarantine(
        bench.access(full),
        bench.lost(),
        bench.memberships,
        Duration.ZERO,
        new FilesInWork(),
        StepListener.NONE);
  }

  @SuppressWarnings("unchecked") // of forEachQuarantined
  private static Consumer<ParityFile> consumer(Object argument) {
    return (Consumer<ParityFile>) argument;
  }

  private long purges(long inode) {
    return catalog
        .history()
        .newest(
            Optional.empty(),
            line -> line.event().equals("parity-purged") && line.inode().equals(Optional.of(inode)),
            10_000,
            10_000)
        .size();
  }

  /** It would lower the replication of its file when all is said to be done. */
  @ParameterizedTest
  @EnumSource(Withdrawal.class)
  void aFileThatIsBeingEncodedIsWaitedFor(Withdrawal how) throws IOException {
    long late = bench.cluster.createFile("/warehouse/late", RaidBench.BLOCK, bench.content, 3);
    List<String> waiting = new ArrayList<>();
    Rounds[] rounds = new Rounds[1];
    Pipelines daemon =
        bench.daemon(
            (step, subject) -> {
              if (step == RaidStep.ENCODED) {
                mode.withdraw(how);
                try {
                  rounds[0].run(6);
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
                waiting.addAll(rounds[0].withdrawal.waiting());
              }
            });
    rounds[0] = new Rounds(daemon);

    daemon.raider().raid(late, RaidBench.RS, RaidProgress.NONE);

    assertThat(waiting).containsExactly("1 parity files are being written");
    assertThat(mode.withdrawal()).as("it goes on").contains(how);
    rounds[0].run(6);
    assertThat(mode.withdrawal()).isEmpty();
    assertThat(bench.cluster.file(late).orElseThrow().replication()).isEqualTo(3);
    assertThat(bench.cluster.footprint().committed()).isZero();
  }

  @Test
  void parityThatCannotBeJudgedKeepsNoOtherFromBeingPurgedAndIsNamed() throws IOException {
    Pipelines daemon = bench.daemon(StepListener.NONE);
    long other = bench.cluster.createFile("/warehouse/other", RaidBench.BLOCK, bench.content, 3);
    daemon.raider().raid(other, RaidBench.RS, RaidProgress.NONE);
    mode.withdraw(Withdrawal.UNRAID);
    Rounds rounds = new Rounds(daemon);
    rounds.run(6);
    String path = bench.cluster.quarantined(bench.inode).get(0).file().path();
    bench.untold.add(source().blocks().get(0).block().id());
    mode.withdraw(Withdrawal.PURGE);

    rounds.withdrawal.run();

    assertThat(bench.cluster.quarantined(other)).isEmpty();
    assertThat(rounds.withdrawal.waiting())
        .singleElement()
        .asString()
        .contains(path, "fsck does not tell who holds blk_");
    assertThat(mode.withdrawal()).contains(Withdrawal.PURGE);
    bench.untold.clear();
    rounds.withdrawal.run();
    assertThat(mode.withdrawal()).isEmpty();
  }

  private TaskQueue queue() {
    return new TaskQueue(new Tasks(catalog.tasks(), CLOCK), KnownTrouble.NONE, 1);
  }

  private ModeService requests(Rounds rounds, TaskQueue queue) {
    return new ModeService(
        rounds.withdrawal, bench.cluster, bench.cluster, catalog, "/.raid", queue, CLOCK);
  }

  @Test
  void theTaskOfAWithdrawalEndsWithItAlsoAfterARestart() throws IOException {
    Rounds rounds = new Rounds(StepListener.NONE);
    TaskQueue dying = queue();
    String id =
        requests(rounds, dying)
            .withdraw(new WithdrawRequest(false, false, false), "alice")
            .task()
            .orElseThrow();
    dying.close();
    assertThat(mode.withdrawal()).as("the end of the process ends no withdrawal").isPresent();

    TaskQueue next = queue();
    requests(rounds, next).takeUp();
    assertThat(next.entries()).hasSize(1);
    rounds.run(6);
    next.finish();

    TaskReport task = new Tasks(catalog.tasks(), CLOCK).find(id).orElseThrow();
    assertThat(task.state()).as(task.toString()).isEqualTo(TaskState.DONE);
    assertThat(task.by()).isEqualTo("alice");
  }

  @Test
  void theTaskOfAWithdrawalThatIsEndedByAResumeSaysWhatIsLeft() throws IOException {
    TaskQueue queue = queue();
    Tasks tasks = new Tasks(catalog.tasks(), CLOCK);
    String id =
        requests(new Rounds(StepListener.NONE), queue)
            .withdraw(new WithdrawRequest(false, false, false), "alice")
            .task()
            .orElseThrow();
    mode.resume();
    queue.finish();

    assertThat(tasks.find(id).orElseThrow().state()).isEqualTo(TaskState.FAILED);
    assertThat(tasks.find(id).orElseThrow().reason()).contains("1 files are still raided");
  }

  @Test
  void whatTheReplicasHaveNoRoomForIsNotBegun() throws IOException {
    // Two more replicas of what there is: with a byte less than that, half of it would fail.
    long wanted = 2L * bench.content.length;
    DataNode only = bench.cluster.allNodes().get(0);
    bench.cluster.allNodes().forEach(node -> bench.cluster.leaveRoom(node, 0));
    bench.cluster.leaveRoom(only, wanted - 1);
    ModeService requests = requests(new Rounds(StepListener.NONE), queue());

    assertThatThrownBy(() -> requests.withdraw(new WithdrawRequest(false, false, false), "alice"))
        .hasMessageContaining(wanted + " bytes")
        .hasMessageContaining((wanted - 1) + " bytes left");
    assertThat(mode.withdrawal()).isEmpty();

    bench.cluster.takeOutOfService(only);
    bench.cluster.leaveRoom(only, wanted);
    assertThatThrownBy(() -> requests.withdraw(new WithdrawRequest(false, false, false), "alice"))
        .as("a node on its way out takes nothing")
        .hasMessageContaining("have 0 bytes left");
  }

  /** The first block is lost, and everything else has its replicas. */
  private Rounds withdrawWithoutFirstBlock(Withdrawal how) throws IOException {
    losesReplicas(source().blocks().get(0));
    mode.withdraw(how);
    Rounds rounds = new Rounds(StepListener.NONE);
    rounds.run(6);
    assertThat(source().blocks().stream().skip(1))
        .allSatisfy(block -> assertThat(block.live()).hasSize(3));
    return rounds;
  }

  private void losesReplicas(LocatedBlock block) {
    block
        .live()
        .forEach(replica -> bench.cluster.deleteReplica(block.block().id(), replica.node()));
  }

  private List<LocatedBlock> parityOfFirstStripe() throws IOException {
    return bench.cluster.find(bench.inode).orElseThrow().file().blocks().subList(0, 3);
  }

  private void theRepairWasTriedInVain() throws IOException {
    long parityInode = bench.cluster.find(bench.inode).orElseThrow().file().inode();
    catalog
        .repairs()
        .put(
            new RepairState.Unrecoverable(
                new DegradedStripe(
                    new StripeKey(parityInode, 0),
                    bench.inode,
                    RaidBench.PATH,
                    "rs-6-3",
                    UnitSet.of(0, 6, 7, 8),
                    -1,
                    "NAMENODE",
                    CLOCK.instant(),
                    1,
                    0),
                "too much is lost",
                CLOCK.instant()));
  }

  private ModeService requests(Rounds rounds) {
    return requests(rounds, queue());
  }

  private static WithdrawRequest abandoning(boolean dryRun) {
    return WithdrawRequest.abandoning(List.of(RaidBench.PATH), dryRun);
  }

  @ParameterizedTest
  @EnumSource(Withdrawal.class)
  void aFileThatIsLostForGoodIsNamedAndKeepsNoWithdrawalFromItsEndOnceItIsAbandoned(Withdrawal how)
      throws IOException {
    Rounds rounds = withdrawWithoutFirstBlock(how);
    parityOfFirstStripe().forEach(this::losesReplicas);
    theRepairWasTriedInVain();
    List<LocatedBlock> left = source().blocks();
    String knownAs = InodePath.of(bench.inode); // no scan has told its path
    rounds.run(2);
    assertThat(rounds.withdrawal.waiting())
        .anySatisfy(
            line ->
                assertThat(line)
                    .startsWith(knownAs + " has lost 1 blocks that nothing can rebuild")
                    .endsWith("'raidshell unraid --all --abandon " + knownAs + "'"));

    ModeService requests = requests(rounds);
    assertThat(requests.withdraw(abandoning(true), "alice").outcome()).isEqualTo(Outcome.PLANNED);
    WithdrawRequest oneOfThemWrong =
        WithdrawRequest.abandoning(List.of(RaidBench.PATH, "/typo"), false);
    assertThatThrownBy(() -> requests.withdraw(oneOfThemWrong, "alice"))
        .hasMessageContaining("no file /typo");
    assertThat(bench.cluster.find(bench.inode).orElseThrow().abandoned())
        .as("a request with a mistake changes nothing")
        .isEqualTo(AbandonedBlocks.NONE);
    rounds.run(2);
    assertThat(mode.withdrawal()).as("a dry run changes nothing").contains(how);
    assertThat(requests.withdraw(abandoning(false), "alice").outcome()).isEqualTo(Outcome.DONE);
    rounds.run(3);

    assertThat(mode.withdrawal()).isEmpty();
    assertThat(rounds.withdrawal.waiting()).isEmpty();
    assertThat(bench.cluster.footprint().quarantined()).isEqualTo(how == Withdrawal.UNRAID ? 1 : 0);
    assertThat(source().blocks()).as("what is left of it").isEqualTo(left);
    assertThat(source().replication()).isEqualTo(3);
    assertThat(catalog.repairs().size()).as("what was lost concerns nobody any more").isZero();
    assertThat(
            catalog.history().newest(Optional.empty(), e -> e.event().equals("abandoned"), 10, 100))
        .singleElement()
        .satisfies(
            line -> {
              assertThat(line.outcome().succeeded()).isTrue();
              assertThat(line.outcome().by()).isEqualTo("alice");
              assertThat(line.outcome().detail()).startsWith("1 of 7 blocks are lost for good");
            });
  }

  @Test
  void whatMayComeBackIsNotAbandoned() throws IOException {
    ModeService idle = requests(new Rounds(StepListener.NONE));
    assertThatThrownBy(() -> idle.withdraw(abandoning(false), "alice"))
        .hasMessageContaining("No withdrawal is under way");

    Rounds rounds = withdrawWithoutFirstBlock(Withdrawal.UNRAID);
    theRepairWasTriedInVain();
    assertThat(refusal(rounds)).contains("can still be rebuilt");
    List<LocatedBlock> units = parityOfFirstStripe();
    losesReplicas(units.get(0));
    losesReplicas(units.get(1));
    DataNode last = units.get(2).live().get(0).node();
    bench.cluster.hush(last);
    assertThat(refusal(rounds)).contains("1 DataNodes have been silent");
    bench.cluster.kill(last);
    catalog.repairs().of(bench.cluster.find(bench.inode).orElseThrow().file().inode()).stream()
        .map(RepairState::stripe)
        .forEach(catalog.repairs()::remove);
    assertThat(refusal(rounds)).contains("Its repair has not been tried yet");
    rounds.run(2);
    assertThat(mode.withdrawal()).contains(Withdrawal.UNRAID);
    assertThat(bench.cluster.footprint().committed()).isEqualTo(1);

    theRepairWasTriedInVain();
    assertThat(requests(rounds).withdraw(abandoning(false), "alice").outcome())
        .isEqualTo(Outcome.DONE);
    assertThat(refusal(rounds)).contains("abandoned already");
    // The node returns before the parity is retired: it is waited for its block again.
    bench.cluster.revive(last);
    rounds.run(3);
    assertThat(mode.withdrawal()).contains(Withdrawal.UNRAID);
    assertThat(bench.cluster.footprint().committed()).isEqualTo(1);
  }

  @Test
  void whatIsLostAfterwardsIsNotAbandoned() throws IOException {
    Rounds rounds = withdrawWithoutFirstBlock(Withdrawal.UNRAID);
    parityOfFirstStripe().forEach(this::losesReplicas);
    theRepairWasTriedInVain();
    requests(rounds).withdraw(abandoning(false), "alice");
    LocatedBlock ofSecondStripe = source().blocks().get(6);
    losesReplicas(ofSecondStripe);
    bench.cluster.find(bench.inode).orElseThrow().file().blocks().stream()
        .skip(3)
        .forEach(this::losesReplicas);

    rounds.run(3);

    assertThat(bench.cluster.find(bench.inode)).as("waits for the second stripe").isPresent();
    assertThat(mode.withdrawal()).contains(Withdrawal.UNRAID);

    assertThat(requests(rounds).withdraw(abandoning(false), "alice").outcome())
        .isEqualTo(Outcome.DONE);
    rounds.run(3);
    assertThat(mode.withdrawal()).isEmpty();
  }

  @Test
  void noParityIsPurgedForAbandonedBlocksThatMayComeBackWithANode() throws IOException {
    Rounds rounds = withdrawWithoutFirstBlock(Withdrawal.UNRAID);
    parityOfFirstStripe().forEach(this::losesReplicas);
    theRepairWasTriedInVain();
    requests(rounds).withdraw(abandoning(false), "alice");
    rounds.run(3);
    ParityFile kept = bench.cluster.quarantined(bench.inode).get(0);
    DataNode spare = bench.cluster.allNodes().get(0);

    bench.cluster.hush(spare);
    assertThat(rounds.quarantine.purge(kept))
        .hasValueSatisfying(why -> assertThat(why).contains("silent"));
    bench.cluster.revive(spare);
    bench.cluster.setTime(bench.startedAt.plus(Duration.ofHours(1)));
    bench.cluster.kill(spare);
    bench.cluster.replicate();
    assertThat(rounds.quarantine.purge(kept))
        .hasValueSatisfying(why -> assertThat(why).contains(spare + " has died since"));
    bench.cluster.revive(spare);
    assertThat(rounds.quarantine.purge(kept)).isEmpty();
  }

  private String refusal(Rounds rounds) throws IOException {
    ChangePreview refused = requests(rounds).withdraw(abandoning(false), "alice");
    assertThat(refused.outcome()).isEqualTo(Outcome.REFUSED);
    return refused.items().get(0).what();
  }

  @Test
  void abandonedParityReturnsFromQuarantineWhenItCanRebuildItsBlocksAfterAll() throws IOException {
    Rounds rounds = withdrawWithoutFirstBlock(Withdrawal.UNRAID);
    List<LocatedBlock> units = parityOfFirstStripe();
    losesReplicas(units.get(0));
    losesReplicas(units.get(1));
    DataNode last = units.get(2).live().get(0).node();
    bench.cluster.kill(last);
    theRepairWasTriedInVain();
    requests(rounds).withdraw(abandoning(false), "alice");
    rounds.run(3);
    assertThat(mode.withdrawal()).isEmpty();
    Quarantine quarantine = rounds.quarantine;
    ParityFile kept = bench.cluster.quarantined(bench.inode).get(0);
    assertThat(quarantine.reviveWhenNeeded(kept)).isEmpty();
    assertThat(quarantine.neededBecause(kept)).isEmpty();

    bench.cluster.revive(last);
    assertThat(quarantine.neededBecause(kept)).isPresent();
    assertThat(quarantine.reviveWhenNeeded(kept)).isPresent();
    assertThat(bench.cluster.find(bench.inode)).isPresent();
  }

  @Test
  void aGroupLetsGoOfWhatIsLeftWhenItsLostMemberIsAbandoned() throws IOException {
    List<Long> members = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      byte[] bytes = new byte[1_000 + 211 * i];
      Arrays.fill(bytes, (byte) (i + 1));
      members.add(bench.cluster.createFile("/small/" + i, RaidBench.BLOCK, bytes, 3));
    }
    Pipelines daemon = bench.daemon(StepListener.NONE);
    GroupOutcome raided = daemon.groupRaider().raid(members, RaidBench.RS, 10, RaidProgress.NONE);
    assertThat(raided.isAt(FileState.REDUCED)).as("%s", raided).isTrue();
    journal().worked("raid", raided, "test");
    bench.cluster.replicate();
    GroupId group = raided.group();
    losesReplicas(bench.cluster.file("/small/2").orElseThrow().blocks().get(0));
    mode.withdraw(Withdrawal.REMOVE_ROOT);
    Rounds rounds = new Rounds(daemon);
    rounds.run(4);
    ParityFile parity = bench.cluster.find(group.value()).orElseThrow();
    parity.file().blocks().forEach(this::losesReplicas);
    catalog
        .repairs()
        .put(
            new RepairState.Unrecoverable(
                new DegradedStripe(
                    new StripeKey(parity.file().inode(), 0),
                    group.value(),
                    group.toString(),
                    "rs-6-3",
                    UnitSet.of(2, 6, 7, 8),
                    -1,
                    "NAMENODE",
                    CLOCK.instant(),
                    1,
                    0),
                "too much is lost",
                CLOCK.instant()));
    rounds.run(2);
    assertThat(rounds.withdrawal.waiting())
        .anySatisfy(
            line ->
                assertThat(line).startsWith(InodePath.of(members.get(2)) + " has lost 1 blocks"));
    assertThat(
            requests(rounds)
                .withdraw(WithdrawRequest.abandoning(List.of("/small/1"), false), "alice")
                .outcome())
        .as("nothing of it is lost")
        .isEqualTo(Outcome.REFUSED);

    requests(rounds).withdraw(WithdrawRequest.abandoning(List.of("/small/2"), false), "alice");
    rounds.run(6);

    assertThat(mode.withdrawal()).isEmpty();
    assertThat(bench.cluster.footprint().root()).isFalse();
    assertThat(bench.cluster.file("/small/1").orElseThrow().blocks())
        .allSatisfy(block -> assertThat(block.live()).hasSize(3));
  }

  @ParameterizedTest
  @EnumSource(UnraidStep.class)
  void aDaemonThatDiesOnTheWayIsTakenUpByTheNext(UnraidStep fatal) throws IOException {
    mode.withdraw(Withdrawal.REMOVE_ROOT);
    List<String> died = new ArrayList<>();
    Rounds dying =
        new Rounds(
            (step, subject) -> {
              if (step == fatal) {
                died.add(subject);
                throw new IllegalStateException("dead");
              }
            });
    try {
      dying.run(6);
    } catch (IllegalStateException e) {
      assertThat(e).hasMessage("dead");
    }
    assertThat(died).as("%s was reached", fatal).isNotEmpty();

    new Rounds(StepListener.NONE).run(6);

    assertThat(bench.cluster.footprint().root()).isFalse();
    assertThat(source().replication()).isEqualTo(3);
    assertThat(bench.cluster.contentOf(RaidBench.PATH)).isEqualTo(bench.content);
  }

  @Test
  void whoMayNotStartAWithdrawalMayNotEndIt() throws IOException {
    mode.withdraw(Withdrawal.PURGE);
    ModeService requests = requests(new Rounds(StepListener.NONE));
    PauseRequest resume = new PauseRequest(false, false);

    assertThatThrownBy(() -> requests.pause(resume, "oscar", Optional.of("oscar is an operator")))
        .hasMessageContaining("A withdrawal is under way")
        .hasMessageContaining("oscar is an operator");
    assertThat(mode.withdrawal()).contains(Withdrawal.PURGE);
    assertThat(requests.pause(resume, "alice", Optional.empty()).outcome()).isEqualTo(Outcome.DONE);
    assertThat(mode.withdrawal()).isEmpty();
  }

  @Test
  void resumedOnTheWayItEndsWhereItIs() throws IOException {
    mode.withdraw(Withdrawal.REMOVE_ROOT);
    // Replicas on their way out do not count, so the file waits.
    bench.condemned.put(source().blocks().get(0).block().id(), 2);
    Rounds rounds = new Rounds(StepListener.NONE);
    rounds.run(3);
    assertThat(rounds.withdrawal.waiting())
        .containsExactly("1 files wait for their replicas (%s is one)".formatted(pathInCatalog()));
    mode.resume();
    bench.condemned.clear();

    rounds.run(6);

    assertThat(mode.paused()).isEmpty();
    assertThat(bench.cluster.footprint().root()).isTrue();
    assertThat(bench.cluster.footprint().quarantined()).as("was under way").isEqualTo(1);
  }

  private String pathInCatalog() {
    return catalog.files().find(bench.inode).orElseThrow().facts().path();
  }

  @Test
  void whatNoReplicaEndsIsSaidByItsReason() throws IOException {
    mode.withdraw(Withdrawal.UNRAID);
    bench.cluster.snapshot(RaidBench.PATH);
    bench.cluster.truncate(RaidBench.PATH, 2L * RaidBench.BLOCK);
    Rounds rounds = new Rounds(StepListener.NONE);

    rounds.run(4);

    assertThat(rounds.withdrawal.waiting())
        .singleElement()
        .asString()
        .startsWith("1 files wait, HELD_BY_SNAPSHOT: ")
        .endsWith("(%s is one)".formatted(pathInCatalog()));
  }

  @Test
  void aDeposedDaemonRemovesNothing() {
    mode.withdraw(Withdrawal.REMOVE_ROOT);
    bench.fence =
        () -> {
          throw new IOException("deposed");
        };

    Rounds rounds = new Rounds(StepListener.NONE);
    for (int round = 0; round < 3; round++) {
      assertThatThrownBy(
              () -> {
                rounds.run(1);
                throw new IOException("went through");
              })
          .isInstanceOf(IOException.class);
    }

    assertThat(source().replication()).isEqualTo(1);
    assertThat(bench.cluster.footprint().committed()).isEqualTo(1);
  }

  private LocatedFile source() {
    return bench.cluster.file(bench.inode).orElseThrow();
  }
}
