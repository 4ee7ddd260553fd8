// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.journeys;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.blockfixer.detect.StripeHealth;
import io.hdfsraid.blockfixer.placement.MoveStep;
import io.hdfsraid.blockfixer.placement.UnitPlacement;
import io.hdfsraid.blockfixer.repair.RepairOutcome;
import io.hdfsraid.blockfixer.repair.RepairStep;
import io.hdfsraid.drfs.namespace.NodeState;
import io.hdfsraid.drfs.parity.ParityFile;
import io.hdfsraid.drfs.step.StepListener;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import io.hdfsraid.drfs.stripe.StripeUnit;
import io.hdfsraid.drfs.stripe.UnitState;
import io.hdfsraid.embedded.EmbeddedNode;
import io.hdfsraid.erasurecode.ErasureCodec;
import io.hdfsraid.erasurecode.ReadCost;
import io.hdfsraid.erasurecode.UnitSet;
import io.hdfsraid.erasurecode.codes.Codecs;
import io.hdfsraid.policies.Policies;
import io.hdfsraid.policies.Protection;
import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidnode.catalog.FileRecord;
import io.hdfsraid.raidnode.catalog.RepairState;
import io.hdfsraid.raidnode.catalog.RepairStatus;
import io.hdfsraid.raidnode.journal.RaidEvents;
import io.hdfsraid.raidnode.traffic.Tuning;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Patterns of losses on a real HDFS, many stripes at once. Each stripe loses other units, on the
 * disks of DataNodes, and nobody is told; the jobs of a daemon find all of them and repair many
 * side by side. {@link RepairJourneyTest} has one of them in the first tier, and every pattern of
 * every codec is rebuilt in memory there.
 */
@Tag("full")
class LossPatternsTest {
  /**
   * On five racks. The widest codec has 18 units, and where lost ones were the NameNode believes in
   * them: what is rebuilt goes to other nodes, and has room there without crowding a rack.
   */
  private static final int NODES = 30;

  private static final int BLOCK = 16 << 10;
  private static final short REPLICAS = 2;
  private static final int SIDE_BY_SIDE = 16;
  private static final Duration PATIENCE = Duration.ofMinutes(4);

  /** The last block of a file is short, and not of whole chunks. */
  private static final int SHORT_BY = 101;

  /** Of most families one that is quickly raided. */
  private static final List<String> SMALL =
      List.of("rs-6-3", "lrc-azure-4-2-2", "less-4-2", "hitchhiker-4-2");

  private static final Heard HEARD = new Heard();
  private static ExecutorService threads;
  private static Journey journey;

  /** What the daemon says it does. */
  private static final class Heard implements RaidEvents, StepListener {
    /** Units that a DataNode has acknowledged, each time it did. */
    final Queue<String> delivered = new ConcurrentLinkedQueue<>();

    /** Units that were moved to better places. */
    final Queue<String> moved = new ConcurrentLinkedQueue<>();

    /** Stripes that it took for lost for good. */
    final Queue<String> givenUp = new ConcurrentLinkedQueue<>();

    @Override
    public void reached(Enum<?> step, String subject) {
      if (step == RepairStep.DELIVERED) {
        delivered.add(subject);
      } else if (step instanceof MoveStep) {
        moved.add(subject);
      }
    }

    @Override
    public void found(StripeHealth health) {
      if (health.state() == StripeHealth.State.UNRECOVERABLE) {
        givenUp.add(health.stripe().toString());
      }
    }

    @Override
    public void repaired(RepairOutcome outcome, int losses) {
      if (outcome instanceof RepairOutcome.Unrecoverable) {
        givenUp.add(outcome.stripe().toString());
      }
    }
  }

  /** A file, and what was written to it. */
  private record Written(String path, long inode, ByteBuffer bytes) {}

  /**
   * What one parity file protects.
   *
   * @param lost what each of its stripes is to lose
   */
  private record Raided(List<Written> files, List<UnitSet> lost) {
    ParityFile parity() throws IOException {
      long id = journey.jobs().upkeep().reconciler().parityOf(files.get(0).inode());
      return journey.cluster().access().parity().find(id).orElseThrow();
    }

    List<LocatedStripe> stripes() throws IOException {
      return journey.jobs().detection().check().locate(parity());
    }

    List<RepairState> inLedger() throws IOException {
      return journey.catalog().repairs().of(parity().file().inode());
    }

    /** A last stripe may have fewer units than its code. */
    UnitSet lostOf(LocatedStripe stripe) {
      return lost.get(stripe.index()).minus(stripe.absent());
    }
  }

  @BeforeAll
  static void start() throws IOException {
    threads = Executors.newFixedThreadPool(SIDE_BY_SIDE);
    EncryptionKey key = new EncryptionKey();
    journey = new Journey(NODES, key.settings());
    journey.startDaemon(
        HEARD,
        new Policies(List.of(), List.of(), 0),
        Journey.settings(Tuning.workers(SIDE_BY_SIDE, SIDE_BY_SIDE, 32), 32),
        HEARD);
    key.makeZone(journey, "/zone");
  }

  @AfterAll
  static void stop() {
    threads.shutdownNow();
    journey.close();
  }

  @BeforeEach
  void hearNothing() {
    HEARD.delivered.clear();
    HEARD.givenUp.clear();
  }

  @Test
  void lossesOfEachKindAreRepairedInFilesAndGroupsAndInAnEncryptionZone() throws IOException {
    List<Callable<Raided>> raidings = new ArrayList<>();
    for (String codec : SMALL) {
      raidings.add(() -> raid("/some/" + codec, codec, ofEachKind(codec)));
    }
    raidings.add(() -> raid("/zone/some", "rs-3-2", ofEachKind("rs-3-2")));
    raidings.add(() -> raidGroup("/group", List.of(UnitSet.of(0, 3, 5), UnitSet.of(1, 6, 8))));

    assertRepaired(raidings);
  }

  @Test
  void rsSixThreeIsRepairedFromEachOfThe129SetsOfUpToThreeLosses() throws IOException {
    List<UnitSet> patterns = LossPatterns.all(Codecs.parse("rs-6-3").shape(), 3);
    assertThat(patterns).hasSize(129);

    assertRepaired(List.of(() -> raid("/all/rs-6-3", "rs-6-3", patterns)));
  }

  @ParameterizedTest
  @MethodSource("allCodecs")
  void lossesOfEachKindAreRepairedInTheFirstAMiddleAndTheRaggedLastStripe(String codec)
      throws IOException {
    List<Callable<Raided>> raidings = new ArrayList<>();
    for (UnitSet lost : ofEachKind(codec)) {
      String path = codec + "/" + raidings.size();
      raidings.add(() -> raid("/each/" + path, codec, List.of(lost, lost, lost)));
      raidings.add(() -> raid("/zone/" + path, codec, List.of(lost)));
    }

    assertRepaired(raidings);
  }

  static List<String> allCodecs() {
    return Codecs.all().stream().map(ErasureCodec::name).toList();
  }

  @Test
  void oneLossMoreThanCanBeBorneIsSaidWithItsArithmeticAndNothingIsWritten() throws IOException {
    List<Callable<Raided>> raidings = new ArrayList<>();
    for (String codec : SMALL) {
      raidings.add(() -> raid("/beyond/" + codec, codec, List.of(hopeless(Codecs.parse(codec)))));
    }
    List<Raided> all = raidAll(raidings);
    lose(all);
    long written = journey.hdfs.bytesWritten();

    journey.jobs().detection().integrity().runAsking();
    journey.jobs().repair().job().runAtRisk();
    journey.jobs().repair().job().run();
    for (Raided raided : all) {
      String path = raided.files().get(0).path();
      LocatedStripe stripe = raided.stripes().get(0);
      UnitSet lost = raided.lostOf(stripe);
      assertUnrecoverable(path, stripe, lost, raided.inLedger());

      // Likewise when an operator asks for it.
      journey.jobs().repair().job().run(raided.files().get(0).inode(), "test", each -> {});
      assertUnrecoverable(path, stripe, lost, raided.inLedger());
    }
    assertThat(HEARD.delivered).isEmpty();
    assertThat(journey.hdfs.bytesWritten()).as("bytes DataNodes have received").isEqualTo(written);
  }

  private static void assertUnrecoverable(
      String path, LocatedStripe stripe, UnitSet lost, List<RepairState> inLedger) {
    assertThat(inLedger).as(path).hasSize(1);
    RepairState record = inLedger.get(0);
    assertThat(record.status()).as(path).isEqualTo(RepairStatus.UNRECOVERABLE);
    assertThat(record.lost()).as(path).isEqualTo(lost);
    assertThat(record.furtherLosses()).as(path).isEqualTo(-1);
    assertThat(record.reason())
        .as(path)
        .contains(
            "%s lost %d of %d units, %s"
                .formatted(stripe, lost.size(), stripe.codec().shape().units(), lost))
        .contains(
            "do not determine them (its code tolerates any %s, but not these)"
                .formatted(losses(stripe.codec().furtherLosses(UnitSet.none()))));
  }

  private static String losses(int count) {
    return count == 1 ? "1 loss" : count + " losses";
  }

  private static List<UnitSet> ofEachKind(String codec) {
    return LossPatterns.ofEachKind(Codecs.parse(codec));
  }

  /** One loss more than the code is sure to bear, of which not even a part can be rebuilt. */
  private static UnitSet hopeless(ErasureCodec codec) {
    int bears = codec.furtherLosses(UnitSet.none());
    return LossPatterns.all(codec.shape(), bears + 1).stream()
        .filter(
            lost -> {
              UnitSet left = UnitSet.all(codec.shape()).minus(lost);
              return lost.size() == bears + 1
                  && lost.stream()
                      .allMatch(
                          unit -> codec.recipe(UnitSet.of(unit), left, ReadCost.UNIFORM).isEmpty());
            })
        .findFirst()
        .orElseThrow();
  }

  // Raiding

  private static List<Raided> raidAll(List<Callable<Raided>> raidings) throws IOException {
    List<Raided> all = sideBySide(raidings);
    Journey.until(
        PATIENCE,
        () -> {
          journey.jobs().upkeep().reconciler().run();
          return unsettled(all).isEmpty();
        },
        () -> "all to be raided and where they should be: " + unsettled(all));
    return all;
  }

  private static List<Optional<FileRecord>> unsettled(List<Raided> all) {
    return all.stream()
        .flatMap(raided -> raided.files().stream())
        .map(file -> journey.record(file.inode()))
        .filter(found -> found.filter(r -> r.state() == FileState.RAIDED).isEmpty())
        .toList();
  }

  /** A file of as many stripes as there are patterns; the last one is ragged. */
  private static Raided raid(String path, String codec, List<UnitSet> lost) throws IOException {
    int blocks = lost.size() * Codecs.parse(codec).shape().dataUnits() - 1;
    Written file = write(path, blocks * BLOCK - SHORT_BY);
    journey.jobs().select().raider().raid(file.inode(), new Protection(codec, 1, 1), "test");
    return new Raided(List.of(file), lost);
  }

  /** Files of one block, of several lengths, under rs-6-3. */
  private static Raided raidGroup(String directory, List<UnitSet> lost) throws IOException {
    List<Written> members = new ArrayList<>();
    for (int i = 0; i < 6 * lost.size(); i++) {
      members.add(write("%s/%02d".formatted(directory, i), BLOCK - i * SHORT_BY));
    }
    journey
        .jobs()
        .select()
        .raider()
        .raidTogether(
            members.stream().map(Written::inode).toList(), new Protection("rs-6-3", 1, 1), "test");
    return new Raided(members, lost);
  }

  private static Written write(String path, int length) throws IOException {
    byte[] bytes = new byte[length];
    new Random(path.hashCode()).nextBytes(bytes);
    boolean overwrite = false;
    int buffer = 4 << 10;
    try (OutputStream out =
        journey.hdfs.fileSystem().create(new Path(path), overwrite, buffer, REPLICAS, BLOCK)) {
      out.write(bytes);
    }
    return new Written(path, journey.file(path).inode(), ByteBuffer.wrap(bytes));
  }

  private static <T> List<T> sideBySide(List<Callable<T>> tasks) throws IOException {
    try {
      List<T> done = new ArrayList<>();
      for (Future<T> task : threads.invokeAll(tasks)) {
        done.add(task.get());
      }
      return done;
    } catch (ExecutionException | InterruptedException e) {
      throw new IOException(e);
    }
  }

  // Damage and repair

  /**
   * @return the units that are gone, as the steps of repairs name them
   */
  private static List<String> lose(List<Raided> all) throws IOException {
    List<String> gone = new ArrayList<>();
    for (Raided raided : all) {
      List<LocatedStripe> stripes = raided.stripes();
      assertThat(stripes).hasSameSizeAs(raided.lost());
      for (LocatedStripe stripe : stripes) {
        for (int unit : raided.lostOf(stripe).toArray()) {
          journey.delete(stripe, unit);
          gone.add("unit %d of %s".formatted(unit, stripe));
        }
      }
    }
    return gone;
  }

  private static void assertRepaired(List<Callable<Raided>> raidings) throws IOException {
    List<Raided> all = raidAll(raidings);
    List<String> gone = lose(all);
    HEARD.moved.clear();

    journey.jobs().detection().integrity().runAsking();
    for (Raided raided : all) {
      assertAllIsInTheLedger(raided);
    }
    Journey.until(
        PATIENCE,
        () -> {
          // Each in a job of its own, as in the daemon.
          sideBySide(
              List.<Callable<Integer>>of(
                  () -> journey.jobs().repair().job().runAtRisk(),
                  () -> journey.jobs().repair().job().run()));
          return waiting(all).isEmpty();
        },
        () -> "all to be repaired: " + waiting(all));

    List<NodeState> nodes = journey.cluster().access().namespace().nodes();
    for (Raided raided : all) {
      for (LocatedStripe stripe : raided.stripes()) {
        assertWhole(stripe, nodes);
      }
      for (Written file : raided.files()) {
        assertThat(file.bytes().mismatch(ByteBuffer.wrap(journey.readPlain(file.path()))))
            .as("first byte of %s that a plain client reads and nobody wrote", file.path())
            .isNegative();
        for (StripeHealth health : journey.health(file.inode())) {
          assertThat(health.state()).as(health.message()).isEqualTo(StripeHealth.State.HEALTHY);
        }
      }
      List<String> own = raided.stripes().stream().map(LocatedStripe::toString).toList();
      assertThat(HEARD.givenUp).doesNotContainAnyElementsOf(own);
    }
    assertThat(HEARD.delivered).containsExactlyInAnyOrderElementsOf(gone);
    assertThat(HEARD.moved).as("units that were delivered to a bad place").isEmpty();
  }

  private static void assertAllIsInTheLedger(Raided raided) throws IOException {
    Map<Integer, UnitSet> wanted = new TreeMap<>();
    for (LocatedStripe stripe : raided.stripes()) {
      UnitSet lost = raided.lostOf(stripe);
      if (!lost.isEmpty()) {
        wanted.put(stripe.index(), lost);
      }
    }
    Map<Integer, UnitSet> known = new TreeMap<>();
    raided.inLedger().forEach(record -> known.put(record.stripe().index(), record.lost()));
    assertThat(known).as(raided.files().get(0).path()).isEqualTo(wanted);
  }

  private static List<RepairState> waiting(List<Raided> all) throws IOException {
    List<RepairState> waiting = new ArrayList<>();
    for (Raided raided : all) {
      waiting.addAll(raided.inLedger());
    }
    return waiting;
  }

  /**
   * One replica of each unit on the disks, each on another node, and no rack holds more than it has
   * to.
   */
  private static void assertWhole(LocatedStripe stripe, List<NodeState> nodes) {
    Set<Integer> holders = new HashSet<>();
    for (StripeUnit unit : stripe.units()) {
      if (unit.state() != UnitState.ABSENT) {
        long block = unit.located().orElseThrow().block().id();
        List<EmbeddedNode> onDisk = journey.hdfs.replicasOnDisk(block);
        assertThat(onDisk).as("replicas of unit %d of %s", unit.unit(), stripe).hasSize(1);
        assertThat(holders.add(onDisk.get(0).index()))
            .as("unit %d of %s shares no node", unit.unit(), stripe)
            .isTrue();
      }
    }
    assertThat(journey.jobs().raiding().placement().audit(stripe, 1, 1, nodes))
        .as("%s", stripe)
        .matches(UnitPlacement::sound);
  }
}
