// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.repair;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.blockfixer.detect.IntegrityCheck;
import io.hdfsraid.blockfixer.detect.StripeHealth;
import io.hdfsraid.blockfixer.plan.RepairPlanner;
import io.hdfsraid.blockfixer.plan.TargetSelector;
import io.hdfsraid.blockfixer.repair.Delivery;
import io.hdfsraid.blockfixer.repair.LocalRepairEngine;
import io.hdfsraid.blockfixer.repair.Polling;
import io.hdfsraid.blockfixer.repair.RepairEngine;
import io.hdfsraid.blockfixer.repair.RepairLimits;
import io.hdfsraid.blockfixer.repair.RepairStep;
import io.hdfsraid.blockfixer.repair.StripeClaims;
import io.hdfsraid.blockfixer.repair.StripeRepairer;
import io.hdfsraid.drfs.InMemoryCluster;
import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.drfs.step.StepListener;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import io.hdfsraid.drfs.stripe.RowMemory;
import io.hdfsraid.drfs.stripe.StripeLocator;
import io.hdfsraid.drfs.stripe.StripeRebuilder;
import io.hdfsraid.erasurecode.UnitSet;
import io.hdfsraid.erasurecode.codes.Codecs;
import io.hdfsraid.policies.Protection;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.RepairState;
import io.hdfsraid.raidnode.catalog.RepairStatus;
import io.hdfsraid.raidnode.job.RaidBench;
import io.hdfsraid.raidnode.journal.Journal;
import io.hdfsraid.raidnode.journal.RaidEvents;
import io.hdfsraid.raidnode.raiding.Pipelines;
import io.hdfsraid.raidnode.raiding.core.RaidProgress;
import io.hdfsraid.raidnode.upkeep.QuarantineJob;
import io.hdfsraid.raidnode.upkeep.ReconcileJob;
import io.hdfsraid.raidnode.worker.Workers;
import io.hdfsraid.recency.SettableClock;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Which stripe is repaired, and when: one worker on an in-memory cluster, and a clock set by hand.
 */
class RepairJobTest {
  private static final Instant NOON = Instant.parse("2029-06-01T12:00:00Z");
  private static final Duration DELAY = Duration.ofMinutes(15);

  @TempDir Path folder;

  private final RaidBench bench = new RaidBench();
  private final InMemoryCluster cluster = bench.cluster;
  private final SettableClock clock = new SettableClock(NOON);
  private final ExecutorService worker = Executors.newSingleThreadExecutor();
  private final ExecutorService io = Executors.newCachedThreadPool();
  private final Pipelines daemon = bench.daemon(StepListener.NONE);
  private final List<String> planned = new ArrayList<>();
  private final List<Long> spread = new ArrayList<>();
  private final Map<Long, Integer> failingDeliveries = new HashMap<>();
  private Hook whenPlanned = () -> {};
  private Hook whenSent = () -> {};
  private Map<String, Integer> listed = Map.of();
  private StormBreaker.Limits storm = StormBreaker.Limits.NONE;
  private Catalog catalog;
  private Journal journal;
  private StormBreaker storms;
  private StripeChecks stripes;
  private IntegrityJob integrity;
  private ReportedLossJob reportedLosses;
  private SilentNodesJob silentNodes;
  private RepairJob round;

  private final List<StripeHealth> met = new ArrayList<>();

  /** What was said of parity that does not belong to its data. */
  private final List<String> wrong = new ArrayList<>();

  private int readings;

  private interface Hook {
    void run() throws IOException;
  }

  @BeforeEach
  void open() {
    cluster.setTime(NOON.minus(Duration.ofDays(90)));
    catalog = Catalog.open(folder, clock);
    start();
  }

  @AfterEach
  void close() {
    worker.shutdownNow();
    io.shutdownNow();
    catalog.close();
    bench.close();
  }

  private void start() {
    journal = new Journal(catalog, clock, RaidEvents.NONE);
    Workers workers = new Workers(worker);
    ReconcileJob reconciler =
        new ReconcileJob(
            catalog,
            daemon.groupReconciler(),
            daemon.fileReconciler(),
            daemon.unraider(),
            workers,
            journal,
            clock);
    IntegrityCheck check =
        new IntegrityCheck(cluster, new StripeLocator(Codecs::parse), cluster, Runnable::run);
    stripes =
        new StripeChecks(
            cluster,
            cluster,
            check,
            reconciler,
            catalog,
            new StripeHealthRecorder(catalog, RaidEvents.NONE, clock));
    QuarantineJob quarantine = new QuarantineJob(daemon.quarantine(), reconciler, catalog, journal);
    integrity =
        new IntegrityJob(
            cluster,
            stripes,
            reconciler,
            quarantine,
            RaidBench.vanished(cluster, reconciler, catalog),
            catalog,
            workers,
            clock);
    reportedLosses =
        new ReportedLossJob(
            () -> {
              readings++;
              return listed;
            },
            stripes,
            quarantine,
            catalog,
            workers,
            clock);
    silentNodes = new SilentNodesJob(cluster, catalog, stripes, workers);
    RepairPlanner planner = new RepairPlanner(cluster, new TargetSelector(new Random(1)));
    RepairEngine engine =
        new LocalRepairEngine(
            new StripeRebuilder(cluster, io, LocatedBlock::live, RowMemory.UNLIMITED), this::open);
    StripeRepairer repairer =
        new StripeRepairer(
            (order, bytesRead) -> {
              whenSent.run();
              return engine.send(order, bytesRead);
            },
            planner,
            cluster,
            (block, replica) -> cluster.report(block.id(), replica.node()),
            () -> {},
            new StripeClaims(),
            new RepairLimits(1, new Polling(2, () -> {}), new Polling(2, () -> {})),
            (step, subject) -> {
              if (step == RepairStep.PLANNED) {
                planned.add(subject);
                try {
                  whenPlanned.run();
                } catch (IOException e) {
                  throw new AssertionError(e);
                }
              }
            });
    storms = new StormBreaker(cluster, catalog, storm, journal, RaidEvents.NONE, clock);
    CrowdedUnits crowded = new CrowdedUnits(spread::add);
    RepairResults results =
        new RepairResults(
            catalog.repairs(),
            new RepairSchedule(DELAY, Duration.ofMinutes(1), 3),
            crowded,
            met::add,
            (id, why, by) -> wrong.add(why),
            journal,
            RaidEvents.NONE,
            clock);
    TransientLosses transients =
        new TransientLosses(catalog.repairs(), cluster, cluster, DELAY, clock);
    StripeRepairTask repair =
        new StripeRepairTask(
            catalog.repairs(),
            cluster,
            new StripeRepairTask.Tools(check, planner, repairer, repairer),
            transients,
            results);
    round =
        new RepairJob(
            catalog,
            cluster,
            cluster,
            new RepairJob.Parts(repair, results, transients, crowded),
            new RepairJob.Lanes(workers, workers),
            storms,
            clock);
  }

  private Delivery open(Block block, DataNode target, String storageType) throws IOException {
    boolean hasMedium =
        cluster.nodes().stream()
            .anyMatch(state -> state.node().equals(target) && state.room(storageType) > 0);
    if (!hasMedium) {
      throw new IOException("Out of space: no volume of type " + storageType);
    }
    return new ToMemory(block, target);
  }

  private final class ToMemory implements Delivery {
    private final Block block;
    private final DataNode target;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    ToMemory(Block block, DataNode target) {
      this.block = block;
      this.target = target;
    }

    @Override
    public void accept(ByteBuffer buffer) {
      byte[] copy = new byte[buffer.remaining()];
      buffer.get(copy);
      bytes.writeBytes(copy);
    }

    @Override
    public void finish() throws IOException {
      if (failingDeliveries.merge(block.id(), -1, Integer::sum) >= 0) {
        throw new IOException("disk full");
      }
      cluster.deliver(block, target, bytes.toByteArray());
    }

    @Override
    public void close() {}
  }

  /** A raided file of one stripe, rs-6-3, each unit on a node of its own. */
  private long raided(String path) throws IOException {
    return raided(path, RaidBench.RS, 6);
  }

  private long raided(String path, Protection protection, int blocks) throws IOException {
    byte[] content = new byte[blocks * RaidBench.BLOCK];
    new Random(path.hashCode()).nextBytes(content);
    long inode = cluster.createFile(path, RaidBench.BLOCK, content, 3);
    daemon.raider().raid(inode, protection, RaidProgress.NONE);
    for (int i = 0; i < 6; i++) {
      daemon.fileReconciler().reconcile(inode);
      cluster.replicate();
    }
    return inode;
  }

  private LocatedStripe stripe(long inode) throws IOException {
    var parity = cluster.find(inode).orElseThrow();
    return new StripeLocator(Codecs::parse)
        .locate(parity, Map.of(inode, cluster.file(inode).orElseThrow()))
        .get(0);
  }

  private LocatedBlock unit(long inode, int unit) throws IOException {
    return stripe(inode).unit(unit).located().orElseThrow();
  }

  private DataNode nodeOf(long inode, int unit) throws IOException {
    return unit(inode, unit).live().get(0).node();
  }

  /** Gone from the disks, and the NameNode knows. */
  private void lose(long inode, int... units) throws IOException {
    for (int unit : units) {
      LocatedBlock block = unit(inode, unit);
      block.live().forEach(replica -> cluster.deleteReplica(block.block().id(), replica.node()));
    }
  }

  private void loseAndNotice(long inode, int... units) throws IOException {
    lose(inode, units);
    stripes.check(inode);
  }

  private RepairState known(long inode) throws IOException {
    return catalog.repairs().of(cluster.find(inode).orElseThrow().file().inode()).get(0);
  }

  private boolean isWhole(long inode) throws IOException {
    return stripe(inode).lost().isEmpty();
  }

  private List<Long> plannedFiles() {
    return planned.stream()
        .map(subject -> Long.parseLong(subject.replaceAll(".*parity inode (\\d+).*", "$1")))
        .toList();
  }

  private long parityOf(long inode) throws IOException {
    return cluster.find(inode).orElseThrow().file().inode();
  }

  @Test
  void whatBecomesAtRiskWhileOthersAreRepairedOvertakesThem() throws IOException {
    List<Long> files = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      files.add(raided("/many/" + i));
      loseAndNotice(files.get(i), 0);
      clock.pass(Duration.ofSeconds(1));
    }
    whenPlanned =
        () -> {
          if (planned.size() == 2) {
            loseAndNotice(files.get(5), 3, 4);
          }
        };

    assertThat(round.run()).isEqualTo(6);

    assertThat(plannedFiles())
        .containsExactly(
            parityOf(files.get(0)),
            parityOf(files.get(1)),
            parityOf(files.get(5)),
            parityOf(files.get(2)),
            parityOf(files.get(3)),
            parityOf(files.get(4)));
    assertThat(catalog.repairs().size()).isZero();
  }

  @Test
  void asManyListedLossesAsBeforeAreOthersWhenThoseWereRepairedMeanwhile() throws IOException {
    long inode = raided("/same");
    listed = Map.of("/same", 1);
    lose(inode, 0);
    assertThat(reportedLosses.run()).isEqualTo(1);
    clock.pass(Duration.ofSeconds(15));
    assertThat(reportedLosses.run()).as("nothing was repaired").isZero();
    round.run();
    assertThat(isWhole(inode)).isTrue();

    lose(inode, 1);
    clock.pass(Duration.ofSeconds(15));
    reportedLosses.run();

    round.run();
    assertThat(isWhole(inode)).as("also the other unit").isTrue();
  }

  @Test
  void oneStripeThatFailsDoesNotStopTheOthers() throws IOException {
    long bad = raided("/bad");
    long good = raided("/good");
    loseAndNotice(bad, 0, 1);
    loseAndNotice(good, 0);
    whenPlanned =
        () -> {
          if (planned.size() == 1) {
            throw new IOException("the fence does not let it pass");
          }
        };

    round.run();

    assertThat(isWhole(good)).isTrue();
    assertThat(isWhole(bad)).isFalse();
    assertThat(known(bad).status()).isEqualTo(RepairStatus.POSTPONED);
  }

  @Test
  void aStripeOnAMediumThatMostNodesLackIsRepairedAtOnce() throws IOException {
    long inode = raided("/archive");
    List<DataNode> spare = new ArrayList<>(cluster.allNodes());
    for (int unit = 0; unit < 9; unit++) {
      cluster.useMedium(nodeOf(inode, unit), "ARCHIVE");
      spare.remove(nodeOf(inode, unit));
    }
    cluster.useMedium(spare.get(0), "ARCHIVE");
    DataNode dead = nodeOf(inode, 0);
    cluster.kill(dead);
    stripes.check(inode);
    clock.pass(DELAY);

    assertThat(round.run()).isEqualTo(1);

    assertThat(isWhole(inode)).isTrue();
    assertThat(nodeOf(inode, 0)).isEqualTo(spare.get(0));
  }

  @Test
  void aUnitRebuiltBesideAReplicaThatDoesNotAnswerIsLookedAtUntilTheNameNodeHasOneOnly()
      throws IOException {
    long inode = raided("/hanging");
    DataNode hanging = nodeOf(inode, 0);
    cluster.hang(hanging);
    cluster.keepExcess(true);
    stripes.check(inode);
    clock.pass(DELAY);

    round.run();

    assertThat(planned).hasSize(1);
    assertThat(unit(inode, 0).live()).as("listed").hasSize(2);
    assertThat(catalog.repairs().of(parityOf(inode))).hasSize(1);
    assertThat(known(inode).reason()).contains("{0}", "may drop");
    stripes.check(inode);
    clock.pass(Duration.ofHours(1));
    round.run();
    assertThat(planned).as("not rebuilt while the new replica is there").hasSize(1);
    assertThat(catalog.repairs().of(parityOf(inode))).as("still both").hasSize(1);

    // The NameNode takes the new one for the one too many.
    for (Replica replica : unit(inode, 0).live()) {
      if (!replica.node().equals(hanging)) {
        cluster.deleteReplica(unit(inode, 0).block().id(), replica.node());
      }
    }
    clock.pass(Duration.ofHours(1));
    round.run();
    assertThat(planned).hasSize(2);
    cluster.kill(hanging);
    clock.pass(Duration.ofHours(1));
    round.run();
    assertThat(isWhole(inode)).isTrue();
    assertThat(catalog.repairs().of(parityOf(inode))).isEmpty();
    assertThat(planned).hasSize(2);
  }

  @Test
  void aUnitRebuiltBesideOtherBytesOfASilentNodeIsLookedAtUntilTheNameNodeHasOneOnly()
      throws IOException {
    long inode = raided("/wrong");
    DataNode wrong = nodeOf(inode, 0);
    Block block = unit(inode, 0).block();
    cluster.deleteReplica(block.id(), wrong);
    cluster.deliver(block, wrong, new byte[RaidBench.BLOCK]);
    cluster.keepExcess(true);
    stripes.check(inode);
    whenPlanned = () -> cluster.hang(wrong);

    round.run();

    assertThat(planned).hasSize(1);
    assertThat(unit(inode, 0).live()).as("listed").hasSize(2);
    assertThat(catalog.repairs().of(parityOf(inode))).hasSize(1);
    assertThat(known(inode).reason()).contains("{0}", "may drop");
    whenPlanned = () -> {};
    cluster.revive(wrong);
    stripes.check(inode);
    clock.pass(Duration.ofHours(1));
    round.run();
    assertThat(catalog.repairs().of(parityOf(inode))).as("still both").hasSize(1);
    assertThat(planned).as("not rebuilt while the new replica is there").hasSize(1);

    // The NameNode takes the new one for the one too many.
    for (Replica replica : unit(inode, 0).live()) {
      if (!replica.node().equals(wrong)) {
        cluster.deleteReplica(block.id(), replica.node());
      }
    }
    clock.pass(Duration.ofHours(1));
    round.run();
    assertThat(planned).hasSize(2);
    assertThat(cluster.isReported(block.id(), wrong)).isTrue();
    stripes.check(inode);
    assertThat(catalog.repairs().of(parityOf(inode))).isEmpty();
  }

  @Test
  void aRepairThatKeepsFailingIsTriedTwiceAsLateEachTimeThenParkedWithItsReason()
      throws IOException {
    long inode = raided("/failing");
    loseAndNotice(inode, 0);
    failingDeliveries.put(unit(inode, 0).block().id(), 100);
    Duration wait = Duration.ofMinutes(1);
    for (int failures = 1; failures < 3; failures++) {
      assertThat(round.run()).isEqualTo(1);
      assertThat(known(inode).status()).isEqualTo(RepairStatus.POSTPONED);
      assertThat(known(inode).wakeAt()).contains(clock.instant().plus(wait));
      clock.pass(wait.minusSeconds(1));
      assertThat(round.run()).as("before its time").isZero();
      clock.pass(Duration.ofSeconds(1));
      wait = wait.multipliedBy(2);
    }
    round.run();
    assertThat(known(inode).status()).isEqualTo(RepairStatus.PARKED);
    assertThat(known(inode).reason()).contains("disk full");
    clock.pass(Duration.ofDays(1));
    assertThat(round.run()).isZero();

    failingDeliveries.clear();
    round.run(inode, "operator", stripe -> {});
    assertThat(isWhole(inode)).isTrue();
  }

  @Test
  void aStripeAtRiskIsNeverParkedAndNeverWaitsForLong() throws IOException {
    long inode = raided("/failing");
    loseAndNotice(inode, 0, 1, 2);
    failingDeliveries.put(unit(inode, 0).block().id(), 10);
    for (int failures = 0; failures < 10; failures++) {
      assertThat(round.runAtRisk()).isEqualTo(1);
      assertThat(known(inode).status()).isEqualTo(RepairStatus.POSTPONED);
      clock.pass(Duration.ofMinutes(10));
    }
    round.runAtRisk();
    assertThat(isWhole(inode)).isTrue();
  }

  @Test
  void aLongListOfLossesIsReadAgainBeforeAllOfItIsLookedAt() throws IOException {
    listed =
        IntStream.range(0, 2_500)
            .boxed()
            .collect(Collectors.toMap(number -> "/gone/" + number, number -> 1));

    assertThat(reportedLosses.run()).isEqualTo(2_500);
    assertThat(readings).isEqualTo(3);
    assertThat(reportedLosses.run()).as("no news").isZero();
  }

  @Test
  void whatAReadHasShownToBeLostIsWrittenDownAndTold() throws IOException {
    long inode = raided("/rotten");
    round.run(); // the daemon has just started: all nodes are new to it
    loseAndNotice(inode, 0, 1, 2);
    for (int unit = 3; unit < 9; unit++) {
      cluster.corrupt(unit(inode, unit).block().id(), nodeOf(inode, unit));
    }
    assertThat(known(inode).furtherLosses()).as("nobody has read").isZero();

    round.run();

    assertThat(known(inode).status()).isEqualTo(RepairStatus.UNRECOVERABLE);
    assertThat(known(inode).furtherLosses()).isEqualTo(-1);
    assertThat(known(inode).lost().size()).isGreaterThan(3);
    assertThat(met)
        .singleElement()
        .satisfies(health -> assertThat(health.lost()).isEqualTo(known(inode).lost()));
  }

  @Test
  void whatIsNoticedWhileAStripeIsRepairedIsRepairedNext() throws IOException {
    long inode = raided("/meanwhile");
    loseAndNotice(inode, 0);
    whenPlanned =
        () -> {
          whenPlanned = () -> {};
          cluster.deleteReplica(unit(inode, 8).block().id(), nodeOf(inode, 8));
          stripes.check(inode);
        };

    round.run();

    assertThat(planned).as("in passes of their own").hasSize(2);
    assertThat(isWhole(inode)).isTrue();
    assertThat(catalog.repairs().size()).isZero();
  }

  @Test
  void whatCannotBeRebuiltIsLeftUntilANodeReturns() throws IOException {
    long inode = raided("/hopeless");
    round.run();
    DataNode away = nodeOf(inode, 3);
    lose(inode, 0, 1, 2);
    cluster.kill(away);
    stripes.check(inode);
    assertThat(known(inode).status()).isEqualTo(RepairStatus.UNRECOVERABLE);
    round.run(); // the daemon has just started: all nodes are new to it
    assertThat(known(inode).status()).isEqualTo(RepairStatus.UNRECOVERABLE);
    clock.pass(Duration.ofMinutes(10));
    assertThat(round.run()).as("in its time").isEqualTo(1);
    clock.pass(Duration.ofMinutes(2));
    assertThat(round.run()).as("nothing has changed").isZero();

    cluster.revive(away);
    clock.pass(Duration.ofMinutes(2));
    assertThat(round.run()).as("before its time").isEqualTo(1);
    assertThat(isWhole(inode)).isTrue();
  }

  @Test
  void whatASilentNodeMadeHopelessIsTriedAgainOnceItIsHeardOf() throws IOException {
    long inode = raided("/silent");
    round.run();
    DataNode silent = nodeOf(inode, 3);
    lose(inode, 0, 1, 2);
    cluster.hush(silent);
    stripes.check(inode);
    round.run();
    assertThat(known(inode).status()).isEqualTo(RepairStatus.UNRECOVERABLE);
    clock.pass(Duration.ofMinutes(10));
    assertThat(round.run()).as("in its time").isEqualTo(1);
    clock.pass(Duration.ofMinutes(2));
    assertThat(round.run()).as("nothing has changed").isZero();

    cluster.revive(silent);
    assertThat(round.run()).as("before its time").isEqualTo(1);
    assertThat(isWhole(inode)).isTrue();
  }

  /** A node that is silent for a minute never leaves the NameNode's list of live ones. */
  @Test
  void whatCannotBeRebuiltIsTriedAgainThoughNoNodeReturns() throws IOException {
    long inode = raided("/blip");
    LocatedBlock fourth = unit(inode, 3);
    byte[] bytes =
        Arrays.copyOfRange(cluster.contentOf("/blip"), 3 * RaidBench.BLOCK, 4 * RaidBench.BLOCK);
    loseAndNotice(inode, 0, 1, 2, 3);
    round.run();
    assertThat(known(inode).status()).isEqualTo(RepairStatus.UNRECOVERABLE);
    cluster.deliver(fourth.block(), fourth.live().get(0).node(), bytes);
    assertThat(round.run()).as("its time has not come").isZero();

    clock.pass(Duration.ofMinutes(1));
    assertThat(round.run()).isEqualTo(1);
    assertThat(isWhole(inode)).isTrue();
  }

  @Test
  void whatCanBeHadOfAnUnrecoverableStripeIsRebuiltWhileItCan() throws IOException {
    loseAndNotice(raided("/hopeless"), 0, 1, 2, 3);
    round.run(); // the daemon has just started: all nodes are new to it
    long inode = raided("/part", new Protection("lrc-azure-4-2-2", 1, 1), 4);
    loseAndNotice(inode, 0, 2, 3, 5, 6, 7);
    assertThat(known(inode).status()).isEqualTo(RepairStatus.UNRECOVERABLE);

    round.run();

    assertThat(unit(inode, 0).live())
        .as("the other of its group and their sum are there")
        .hasSize(1);
    assertThat(known(inode).status()).isEqualTo(RepairStatus.UNRECOVERABLE);
    assertThat(known(inode).lost()).isEqualTo(UnitSet.of(2, 3, 5, 6, 7));
  }

  @Test
  void whatCanBeHadOfAStripeWithChangedUnitsIsRebuiltAndTheRestIsLeft() throws IOException {
    long inode = raided("/changed", new Protection("lrc-azure-6-2-2", 1, 1), 6);
    cluster.truncate("/changed", 6L * RaidBench.BLOCK - 5);
    lose(inode, 0, 3, 4, 7, 8);
    stripes.check(inode);
    assertThat(known(inode).shownStatus()).isEqualTo(RepairStatus.WAITING);

    round.run();

    assertThat(planned).hasSize(1);
    assertThat(stripe(inode).lost()).isEqualTo(UnitSet.of(3, 4, 7, 8));
    assertThat(catalog.repairs().size()).as("nothing is proven of the rest").isZero();
    stripes.check(inode);
    assertThat(catalog.repairs().size()).as("nothing can be done").isZero();
  }

  @Test
  void whatAnOperatorAsksForWaitsForNoNode() throws IOException {
    long inode = raided("/asked");
    cluster.setTime(clock.instant());
    cluster.kill(nodeOf(inode, 0));
    stripes.check(inode);
    round.run();
    assertThat(known(inode).reason()).contains("may come back");

    assertThat(round.run(inode, "operator", stripe -> {})).isEqualTo(1);
    assertThat(isWhole(inode)).isTrue();
  }

  @Test
  void aRepairThatIsInterruptedKeepsItsPlace() throws IOException {
    long inode = raided("/interrupted");
    loseAndNotice(inode, 0, 1, 2);
    whenPlanned =
        () -> {
          if (planned.size() == 1) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("The daemon ends");
          }
        };
    round.run();
    assertThat(planned).as("tried again without a pause").hasSize(2);
    assertThat(isWhole(inode)).isTrue();
  }

  @Test
  void whatAnOperatorWantsLeftIsLeftWhenSomeOfItComesBack() throws IOException {
    long inode = raided("/left");
    LocatedBlock first = unit(inode, 0);
    byte[] bytes = Arrays.copyOf(cluster.contentOf("/left"), RaidBench.BLOCK);
    loseAndNotice(inode, 0, 1);
    Instant until = clock.instant().plus(Duration.ofDays(1));
    assertThat(round.leave(known(inode).stripe(), until, "operator")).isPresent();

    cluster.deliver(first.block(), first.live().get(0).node(), bytes);
    stripes.check(inode);
    assertThat(round.run()).isZero();
    assertThat(known(inode).wakeAt()).contains(until);

    loseAndNotice(inode, 2, 3);
    assertThat(round.run()).as("more of it is lost").isEqualTo(1);
    assertThat(isWhole(inode)).isTrue();
  }

  @Test
  void aNodeMayComeBackBeforeWhatItHeldIsRebuilt() throws IOException {
    long inode = raided("/waiting");
    cluster.setTime(clock.instant());
    cluster.kill(nodeOf(inode, 0));
    stripes.check(inode);
    round.run();
    assertThat(planned).isEmpty();
    assertThat(known(inode).reason()).contains("may come back");
    assertThat(known(inode).wakeAt()).contains(clock.instant().plus(DELAY));

    clock.pass(DELAY.minusSeconds(1));
    round.run();
    assertThat(planned).isEmpty();
    clock.pass(Duration.ofSeconds(1));
    round.run();
    assertThat(isWhole(inode)).isTrue();
  }

  @Test
  void noNodeIsWaitedForAnyLongerBecauseTheClockIsSetBack() throws IOException {
    long inode = raided("/waiting");
    cluster.setTime(clock.instant());
    cluster.kill(nodeOf(inode, 0));
    stripes.check(inode);
    round.run();
    assertThat(known(inode).wakeAt()).contains(clock.instant().plus(DELAY));

    clock.pass(Duration.ofDays(-365));
    catalog.repairs().wakePostponed();
    round.run();
    assertThat(isWhole(inode)).isTrue();
  }

  @Test
  void aLossIsNotTransientWhereNoNodeHasGoneLately() throws IOException {
    long inode = raided("/gone");
    cluster.kill(cluster.node(19)); // ninety days ago
    loseAndNotice(inode, 0);
    round.run();
    assertThat(isWhole(inode)).isTrue();
  }

  @Test
  void aStripeThatLosesMoreWhileItsRepairWaitsIsJudgedAnewAndTakesItsTurn() throws IOException {
    long inode = raided("/waiting");
    loseAndNotice(inode, 0);
    List<Integer> furtherLosses = new ArrayList<>();
    whenSent =
        () -> {
          furtherLosses.add(known(inode).furtherLosses());
          if (furtherLosses.size() == 1) {
            lose(inode, 1, 2);
            throw new FurtherLossException(parityOf(inode), 0);
          }
        };

    round.run();

    assertThat(furtherLosses).containsExactly(2, 0);
    assertThat(isWhole(inode)).isTrue();
    assertThat(catalog.repairs().size()).isZero();
  }

  @Test
  void aStripeAtRiskWaitsForNoNode() throws IOException {
    long inode = raided("/risk");
    cluster.setTime(clock.instant());
    for (int unit = 0; unit < 3; unit++) {
      cluster.kill(nodeOf(inode, unit));
    }
    stripes.check(inode);
    round.runAtRisk();
    assertThat(isWhole(inode)).isTrue();
  }

  @Test
  void aStripeThatASilentNodePutsAtRiskIsRepairedBeforeThatNodeIsGivenUp() throws IOException {
    long inode = raided("/silence");
    cluster.setTime(clock.instant());
    cluster.kill(nodeOf(inode, 0));
    cluster.kill(nodeOf(inode, 1));
    stripes.check(inode);
    round.run();
    assertThat(known(inode).reason()).contains("may come back");

    DataNode silent = nodeOf(inode, 2);
    cluster.hush(silent);
    round.runAtRisk();
    assertThat(planned).as("nobody has looked yet").isEmpty();
    assertThat(silentNodes.run()).isEqualTo(1);
    assertThat(known(inode).furtherLosses()).isZero();
    round.runAtRisk();

    assertThat(isWhole(inode)).isTrue();
    assertThat(nodeOf(inode, 2)).isNotEqualTo(silent);
    clock.pass(Duration.ofMinutes(10));
    round.runAtRisk();
    assertThat(catalog.repairs().size()).as("the NameNode has kept the new replica").isZero();
    assertThat(planned).hasSize(1);
  }

  @Test
  void whatASilentNodePutsAtNoRiskGoesOnWaitingAndASilenceIsLookedAtOnce() throws IOException {
    long inode = raided("/elsewhere");
    cluster.setTime(clock.instant());
    cluster.kill(nodeOf(inode, 0));
    stripes.check(inode);
    round.run();
    RepairState before = known(inode);
    DataNode other =
        cluster.allNodes().stream()
            .filter(node -> !stripeNodes(inode).contains(node) && cluster.isUp(node))
            .findFirst()
            .orElseThrow();
    cluster.hush(other);

    assertThat(silentNodes.run()).isEqualTo(1);
    assertThat(known(inode)).as("it has nothing there").isEqualTo(before);
    assertThat(silentNodes.run()).as("the same silence").isZero();
    cluster.revive(other);
    assertThat(silentNodes.run()).as("it is back").isZero();
    cluster.hush(nodeOf(inode, 1));
    assertThat(silentNodes.run()).as("another one").isEqualTo(1);
    assertThat(known(inode).lost().size()).isEqualTo(2);
    round.run();
    assertThat(planned).as("it still bears a loss, and waits no longer than before").isEmpty();
  }

  @Test
  void theIntegrityCheckAsksWhereSilentNodesTogetherWouldTakeTheLastTolerance() throws IOException {
    long inode = raided("/whole");
    cluster.setTime(clock.instant());
    cluster.hush(nodeOf(inode, 0));
    cluster.hush(nodeOf(inode, 1));
    integrity.run();
    assertThat(catalog.repairs().size()).as("two of three are not worth a question").isZero();

    cluster.hush(nodeOf(inode, 2));
    integrity.run();
    assertThat(known(inode).furtherLosses()).isZero();
    assertThat(known(inode).lost().size()).isEqualTo(3);
  }

  private Set<DataNode> stripeNodes(long inode) {
    try {
      return stripe(inode).units().stream()
          .flatMap(unit -> unit.located().stream())
          .flatMap(block -> block.live().stream())
          .map(Replica::node)
          .collect(Collectors.toSet());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aFileThatSomebodyOpenedSinceDoesNotWait() throws IOException {
    long inode = raided("/read");
    cluster.setTime(clock.instant());
    cluster.kill(nodeOf(inode, 0));
    stripes.check(inode);
    clock.pass(Duration.ofMinutes(1));
    cluster.setAccessed("/read", clock.instant());
    round.run();
    assertThat(isWhole(inode)).isTrue();
  }

  @Test
  void whatLiesOnALeavingNodeIsLeftToTheNameNodeToCopy() throws IOException {
    long inode = raided("/leaving");
    cluster.takeOutOfService(nodeOf(inode, 0));
    stripes.check(inode);
    assertThat(catalog.repairs().size()).isZero();

    cluster.kill(nodeOf(inode, 0));
    stripes.check(inode);
    assertThat(known(inode).lost().size()).as("it does not answer any more").isEqualTo(1);
  }

  @Test
  void aFileThatSomebodyOpensWhileItWaitsForItsNodeWaitsNoLonger() throws IOException {
    long inode = raided("/opened");
    cluster.setTime(clock.instant());
    cluster.kill(nodeOf(inode, 0));
    stripes.check(inode);
    round.run();
    assertThat(known(inode).reason()).contains("may come back");
    clock.pass(Duration.ofMinutes(1));
    assertThat(round.wakeOpened()).as("nobody has read it").isZero();
    round.run();
    assertThat(planned).isEmpty();

    cluster.setAccessed("/opened", clock.instant());
    assertThat(round.wakeOpened()).isEqualTo(1);
    round.run();

    assertThat(isWhole(inode)).isTrue();
  }

  @Test
  void whenManyNodesGoAtOnceOnlyStripesAtRiskAreRepairedUntilTheyAreBack() throws IOException {
    storm = new StormBreaker.Limits(4, 100);
    start();
    long one = raided("/one");
    long risky = raided("/risky");
    cluster.setTime(clock.instant());
    List<DataNode> unused =
        cluster.allNodes().stream()
            .filter(node -> holdsNothingOf(node, one, risky))
            .limit(4)
            .toList();
    assertThat(unused).hasSize(4);
    unused.forEach(cluster::kill);
    loseAndNotice(one, 0);
    loseAndNotice(risky, 0, 1, 2);
    clock.pass(DELAY);

    assertThat(round.run()).isEqualTo(1);
    assertThat(isWhole(risky)).isTrue();
    assertThat(isWhole(one)).isFalse();
    assertThat(storms.current().orElseThrow().why()).contains("4 or more DataNodes");

    cluster.revive(unused.get(0));
    round.run();
    assertThat(storms.current()).isEmpty();
    assertThat(isWhole(one)).isTrue();
    assertThat(events()).contains("storm", "storm-over");
  }

  @Test
  void anOperatorOverridesAStormUntilTheNextOne() throws IOException {
    storm = new StormBreaker.Limits(2, 100);
    start();
    long one = raided("/one");
    cluster.setTime(clock.instant());
    List<DataNode> unused =
        cluster.allNodes().stream().filter(node -> holdsNothingOf(node, one)).limit(4).toList();
    unused.subList(0, 2).forEach(cluster::kill);
    loseAndNotice(one, 0);
    clock.pass(DELAY);
    assertThat(round.run()).isZero();

    assertThat(storms.override("operator")).isPresent();
    assertThat(round.run()).isEqualTo(1);
    assertThat(isWhole(one)).isTrue();

    clock.pass(Duration.ofMinutes(1));
    cluster.setTime(clock.instant());
    cluster.kill(unused.get(2));
    assertThat(storms.look()).as("one node is no storm").isEmpty();
    cluster.kill(unused.get(3));
    assertThat(storms.look()).isPresent();
  }

  @Test
  void anOverrideByAClockThatWasAheadEndsNoLaterStorm() throws IOException {
    storm = new StormBreaker.Limits(2, 100);
    start();
    cluster.setTime(clock.instant());
    cluster.kill(cluster.node(0));
    cluster.kill(cluster.node(1));
    clock.pass(Duration.ofDays(365));
    assertThat(storms.override("operator")).isPresent();
    assertThat(storms.look()).isEmpty();

    clock.pass(Duration.ofDays(-365).plusHours(2));
    assertThat(storms.look()).as("nodes that the operator has given up").isEmpty();
    clock.pass(Duration.ofHours(2));
    cluster.setTime(clock.instant());
    cluster.kill(cluster.node(2));
    cluster.kill(cluster.node(3));
    assertThat(storms.look()).isPresent();
  }

  @Test
  void nodesThatWentOneByOneAreNoStorm() throws IOException {
    storm = new StormBreaker.Limits(3, 100);
    start();
    for (int node = 0; node < 6; node++) {
      cluster.setTime(clock.instant());
      cluster.kill(cluster.node(node));
      clock.pass(Duration.ofMinutes(31));
      assertThat(storms.look()).as("%d nodes", node + 1).isEmpty();
    }
  }

  @Test
  void aUnitThatHadToBeCrowdedIsSpreadOnceByAJobOfItsOwn() throws IOException {
    long inode = raided("/crowded");
    List<DataNode> holders = new ArrayList<>();
    for (int unit = 0; unit < 9; unit++) {
      holders.add(nodeOf(inode, unit));
    }
    cluster.allNodes().stream()
        .filter(node -> !holders.contains(node))
        .forEach(node -> cluster.leaveRoom(node, 0));
    cluster.leaveRoom(holders.get(0), 0);
    loseAndNotice(inode, 0);
    round.run();
    assertThat(isWhole(inode)).isTrue();
    assertThat(spread).as("nothing that is lost waits for it").isEmpty();
    round.spreadCrowded();
    round.spreadCrowded();
    assertThat(spread).containsExactly(inode);
  }

  @Test
  void whatRepairsCostIsCountedByTheNumberOfLosses() throws IOException {
    long one = raided("/one");
    long two = raided("/two");
    loseAndNotice(one, 0);
    loseAndNotice(two, 0, 8);
    round.run();
    assertThat(round.tally().byLosses()).containsOnlyKeys(1, 2);
    assertThat(round.tally().byLosses().get(1).bytesRead()).isEqualTo(6L * RaidBench.BLOCK);
    assertThat(round.pace().end(10)).isPresent();
  }

  private boolean holdsNothingOf(DataNode node, long... inodes) {
    try {
      for (long inode : inodes) {
        for (int unit = 0; unit < 9; unit++) {
          if (nodeOf(inode, unit).equals(node)) {
            return false;
          }
        }
      }
      return true;
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private List<String> events() {
    return catalog.history().newest(Optional.empty(), outcome -> true, 100, 100).stream()
        .map(line -> line.outcome().event())
        .toList();
  }
}
