// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.scrub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsraid.blockfixer.detect.BadReplica;
import io.hdfsraid.blockfixer.detect.DetectionSource;
import io.hdfsraid.blockfixer.detect.Fault;
import io.hdfsraid.blockfixer.detect.IntegrityCheck;
import io.hdfsraid.blockfixer.detect.StripeHealth;
import io.hdfsraid.blockfixer.detect.StripeHealth.State;
import io.hdfsraid.blockfixer.repair.StripeClaims;
import io.hdfsraid.blockfixer.scrub.BadReplicaReporter;
import io.hdfsraid.blockfixer.scrub.Scrubber;
import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.BlockInput;
import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.DataNodes;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.drfs.block.ReplicaGoneException;
import io.hdfsraid.drfs.parity.ParityFile;
import io.hdfsraid.drfs.parity.ParityPhase;
import io.hdfsraid.drfs.step.StepListener;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import io.hdfsraid.drfs.stripe.StripeLocator;
import io.hdfsraid.drfs.stripe.StripeUnit;
import io.hdfsraid.erasurecode.UnitSet;
import io.hdfsraid.erasurecode.codes.Codecs;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.History;
import io.hdfsraid.raidnode.catalog.HistoryRecord;
import io.hdfsraid.raidnode.catalog.RepairState;
import io.hdfsraid.raidnode.catalog.ScrubDepth;
import io.hdfsraid.raidnode.catalog.StripeKey;
import io.hdfsraid.raidnode.job.RaidBench;
import io.hdfsraid.raidnode.journal.Journal;
import io.hdfsraid.raidnode.journal.RaidEvents;
import io.hdfsraid.raidnode.raiding.Pipelines;
import io.hdfsraid.raidnode.raiding.core.RaidProgress;
import io.hdfsraid.raidnode.repair.IntegrityJob;
import io.hdfsraid.raidnode.repair.StripeChecks;
import io.hdfsraid.raidnode.repair.StripeHealthRecorder;
import io.hdfsraid.raidnode.upkeep.QuarantineJob;
import io.hdfsraid.raidnode.upkeep.ReconcileJob;
import io.hdfsraid.raidnode.worker.Workers;
import io.hdfsraid.recency.SettableClock;
import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** In which order stripes are scrubbed, what stops it, and what becomes of what it finds. */
class ScrubJobTest {
  private static final ScrubJob.Settings SETTINGS =
      new ScrubJob.Settings(Duration.ofHours(6), Duration.ofDays(30), Duration.ofDays(7));

  @TempDir Path folder;

  private final RaidBench bench = new RaidBench();
  private final SettableClock time = new SettableClock(Instant.parse("2029-06-01T00:00:00Z"));
  private final ExecutorService threads = Executors.newSingleThreadExecutor();
  private final List<String> looks = new ArrayList<>();
  private final Set<DataNode> silent = new HashSet<>();
  private final Set<Long> opened = new HashSet<>();

  /** Nodes that have deleted their replica of unit 2 of stripe 0; the NameNode still lists it. */
  private final Set<DataNode> deleted = new HashSet<>();

  private StripeScrub before = (stripe, blocks) -> null;
  private Catalog catalog;
  private IntegrityCheck check;
  private StripeHealthRecorder recorder;
  private StripeChecks stripes;
  private IntegrityJob integrity;
  private ScrubFaults faults;
  private final Map<ScrubDepth, ScrubJob> jobs = new EnumMap<>(ScrubDepth.class);
  private final Map<ScrubDepth, RequestedScrub> requested = new EnumMap<>(ScrubDepth.class);

  @BeforeEach
  void start() throws IOException {
    bench.cluster.setTime(time.instant());
    raid(bench.inode);
    wire(SETTINGS);
  }

  @AfterEach
  void close() {
    threads.shutdownNow();
    catalog.close();
    bench.close();
  }

  private void raid(long inode) throws IOException {
    Pipelines daemon = bench.daemon(StepListener.NONE);
    daemon.raider().raid(inode, RaidBench.RS, RaidProgress.NONE);
    for (int round = 0; round < 6; round++) {
      bench.cluster.replicate();
      daemon.fileReconciler().reconcile(inode);
    }
  }

  /** One more raided file, of so many blocks. */
  private long raided(String path, int blocks) throws IOException {
    bench.cluster.setTime(time.instant());
    byte[] bytes = new byte[blocks * RaidBench.BLOCK];
    new Random(blocks).nextBytes(bytes);
    long inode = bench.cluster.createFile(path, RaidBench.BLOCK, bytes, 3);
    raid(inode);
    return inode;
  }

  private void restart() {
    catalog.close();
    wire(SETTINGS);
  }

  private void wire(ScrubJob.Settings settings) {
    catalog = Catalog.open(folder, time);
    Pipelines daemon = bench.daemon(StepListener.NONE);
    Workers workers = new Workers(threads);
    Journal journal = new Journal(catalog, time, RaidEvents.NONE);
    ReconcileJob reconciler =
        new ReconcileJob(
            catalog,
            daemon.groupReconciler(),
            daemon.fileReconciler(),
            daemon.unraider(),
            workers,
            journal,
            time);
    DataNodes nodes = new Nodes();
    Scrubber scrubber = new Scrubber(nodes);
    faults = new ScrubFaults(catalog.rotten(), scrubber, time);
    check =
        new IntegrityCheck(
            bench.cluster, new StripeLocator(Codecs::parse), nodes, faults, Runnable::run);
    recorder = new StripeHealthRecorder(catalog, RaidEvents.NONE, time);
    stripes = new StripeChecks(bench.cluster, bench.cluster, check, reconciler, catalog, recorder);
    integrity =
        new IntegrityJob(
            bench.cluster,
            stripes,
            reconciler,
            new QuarantineJob(daemon.quarantine(), reconciler, catalog, journal),
            RaidBench.vanished(bench.cluster, reconciler, catalog),
            catalog,
            workers,
            time);
    BadReplicaReporter copies =
        new BadReplicaReporter(
            (block, replica) -> bench.cluster.report(block.id(), replica.node()),
            bench.fence,
            new StripeClaims());
    for (ScrubDepth depth : ScrubDepth.values()) {
      StripeScrub look =
          depth == ScrubDepth.DEEP
              ? StripeScrub.deep(scrubber, faults, copies, catalog.encodingReads())
              : StripeScrub.presence(check);
      LedgerScrub scrub =
          new LedgerScrub(
              depth, watched(look), check, recorder, RaidEvents.NONE, (id, why, by) -> {});
      ScrubJournal scrubJournal = new ScrubJournal(depth, catalog.files(), journal);
      jobs.put(
          depth,
          new ScrubJob(
              settings,
              new ParityScrub(scrub, bench.cluster, check, catalog, scrubJournal, time),
              catalog,
              workers,
              time));
      requested.put(
          depth,
          new RequestedScrub(
              scrub, bench.cluster, check, reconciler, catalog.scrubs(), scrubJournal, time));
    }
  }

  private StripeScrub watched(StripeScrub look) {
    return (stripe, blocks) -> {
      looks.add(name(stripe) + "#" + stripe.index());
      StripeScrub.Seen instead = before.at(stripe, blocks);
      return instead == null ? look.at(stripe, blocks) : instead;
    };
  }

  private ScrubJob at(ScrubDepth depth) {
    return jobs.get(depth);
  }

  private String name(LocatedStripe stripe) throws IOException {
    for (String path : bench.cluster.paths()) {
      long inode = bench.cluster.file(path).orElseThrow().inode();
      Optional<ParityFile> parity = bench.cluster.find(inode);
      if (parity.filter(file -> file.file().inode() == stripe.parityInode()).isPresent()) {
        return path;
      }
    }
    return "?";
  }

  /** The cluster's, some of which do not answer. */
  private final class Nodes implements DataNodes {
    @Override
    public BlockInput open(Block block, Replica replica, long offset, long length)
        throws IOException {
      requireAnswer(replica);
      requireReplica(block, replica);
      opened.add(block.id());
      return bench.cluster.open(block, replica, offset, length);
    }

    @Override
    public int checksum(Block block, Replica replica) throws IOException {
      requireAnswer(replica);
      requireReplica(block, replica);
      int crc = bench.cluster.checksum(block, replica);
      return bench.stale.contains(replica.node()) ? ~crc : crc;
    }

    private void requireReplica(Block block, Replica replica) throws IOException {
      if (deleted.contains(replica.node()) && block.equals(unit(0, 2).block())) {
        throw new ReplicaGoneException(block, replica.node(), null);
      }
    }

    private void requireAnswer(Replica replica) throws IOException {
      if (silent.contains(replica.node())) {
        throw new java.net.ConnectException("Connection refused");
      }
    }
  }

  private List<LocatedStripe> stripes() throws IOException {
    return check.locate(bench.cluster.find(bench.inode).orElseThrow());
  }

  private LocatedBlock unit(int stripe, int unit) throws IOException {
    return stripes().get(stripe).unit(unit).located().orElseThrow();
  }

  private void rot(int stripe, int unit) throws IOException {
    LocatedBlock block = unit(stripe, unit);
    bench.cluster.corrupt(block.block().id(), block.live().get(0).node());
  }

  private List<RepairState> ledger() {
    return catalog.repairs().list(Optional.empty(), 100);
  }

  // Order

  @ParameterizedTest
  @EnumSource(ScrubDepth.class)
  void theNewestComeFirstThenThoseWhoseLastScrubIsLongestAgo(ScrubDepth depth) throws IOException {
    time.pass(Duration.ofHours(1));
    raided("/b", 3);
    integrity.run();

    assertThat(at(depth).run()).isEqualTo(2);
    assertThat(looks).containsExactly("/b#0", RaidBench.PATH + "#0", RaidBench.PATH + "#1");
    looks.clear();
    assertThat(at(depth).run()).as("nothing is due").isZero();

    time.pass(Duration.ofDays(31));
    raided("/c", 4);
    raided("/d", 5);
    integrity.run();
    at(depth).run();

    assertThat(looks)
        .containsExactly("/d#0", "/c#0", RaidBench.PATH + "#0", RaidBench.PATH + "#1", "/b#0");
    assertThat(catalog.scrubs().oldest(depth)).contains(time.instant());
    assertThat(catalog.scrubs().neverScrubbedSince(depth)).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(ScrubDepth.class)
  void aRunThatIsCutOffGoesOnAtTheStripeAfterARestart(ScrubDepth depth) throws IOException {
    integrity.run();
    before =
        (stripe, blocks) -> {
          if (stripe.index() == 1) {
            throw new InterruptedIOException("cut off");
          }
          return null;
        };
    assertThatThrownBy(() -> at(depth).run()).isInstanceOf(IOException.class);
    Instant began = time.instant();
    looks.clear();
    before = (stripe, blocks) -> null;
    time.pass(Duration.ofHours(1));

    restart();
    at(depth).run();

    assertThat(looks).containsExactly(RaidBench.PATH + "#1");
    assertThat(catalog.scrubs().oldest(depth)).as("the age of its oldest stripe").contains(began);
    ScrubPass pass = ScrubJob.pass(depth, catalog.notes()).orElseThrow();
    assertThat(pass.ended()).isPresent();
    assertThat(pass.files()).isEqualTo(1);
  }

  @Test
  void afterItsSliceOfTimeAFileWaitsUntilOthersHadTheirs() throws IOException {
    catalog.scrubs().meet(raided("/b", 3), time.instant());
    time.pass(Duration.ofHours(1));
    integrity.run();
    before =
        (stripe, blocks) -> {
          time.pass(Duration.ofMinutes(2));
          return null;
        };

    at(ScrubDepth.DEEP).run();

    assertThat(looks).containsExactly(RaidBench.PATH + "#0", "/b#0", RaidBench.PATH + "#1");
  }

  @ParameterizedTest
  @EnumSource(ScrubDepth.class)
  void whatIsOverdueIsScrubbedAgainThoughMuchWasNeverScrubbed(ScrubDepth depth) throws IOException {
    integrity.run();
    at(depth).run();
    looks.clear();
    time.pass(Duration.ofDays(31));
    for (long id = 1_000_000; id < 1_000_200; id++) {
      catalog.scrubs().meet(id, time.instant());
    }
    List<Boolean> othersWait = new ArrayList<>();
    before =
        (stripe, blocks) -> {
          othersWait.add(catalog.scrubs().neverScrubbedSince(depth).isPresent());
          return null;
        };

    at(depth).run();

    assertThat(looks).containsExactly(RaidBench.PATH + "#0", RaidBench.PATH + "#1");
    assertThat(othersWait).containsExactly(true, true);
    assertThat(catalog.scrubs().neverScrubbedSince(depth)).as("all had their turn").isEmpty();
  }

  @ParameterizedTest
  @EnumSource(ScrubDepth.class)
  void whatCannotBeLookedAtStopsNoOthersAndIsTriedAgain(ScrubDepth depth) throws IOException {
    raided("/b", 3);
    raided("/c", 3);
    integrity.run();
    before =
        (stripe, blocks) -> {
          if (name(stripe).equals("/b")) {
            throw depth == ScrubDepth.DEEP
                ? new SocketTimeoutException("no interrupt, though an InterruptedIOException")
                : new EOFException("the NameNode hung up");
          }
          return null;
        };

    assertThat(at(depth).run()).isEqualTo(2);
    assertThat(at(depth).run()).as("not at once").isZero();
    before = (stripe, blocks) -> null;
    looks.clear();
    time.pass(depth == ScrubDepth.DEEP ? Duration.ofDays(1) : Duration.ofHours(1));

    assertThat(at(depth).run()).isEqualTo(1);
    assertThat(looks).containsExactly("/b#0");
    assertThat(catalog.scrubs().neverScrubbedSince(depth)).isEmpty();
  }

  @Test
  void whenNothingCanBeLookedAtTheRunEndsAndSaysSo() throws IOException {
    integrity.run();
    before =
        (stripe, blocks) -> {
          throw new EOFException("the NameNode hung up");
        };

    assertThatThrownBy(() -> at(ScrubDepth.DEEP).run())
        .hasMessageContaining("None of 1 parity files");
  }

  @ParameterizedTest
  @EnumSource(ScrubDepth.class)
  void aStripeOfWhichANodeDoesNotAnswerCountsAsNotScrubbed(ScrubDepth depth) throws IOException {
    integrity.run();
    silent.add(unit(0, 1).live().get(0).node());

    at(depth).run();

    assertThat(catalog.scrubs().neverScrubbedSince(depth)).isPresent();
    assertThat(ledger()).as("its node may be gone").isNotEmpty();
    assertThat(catalog.rotten().of(key(0))).as("nothing is proven").isEmpty();
    silent.clear();
    time.pass(Duration.ofDays(1));
    at(depth).run();
    assertThat(catalog.scrubs().neverScrubbedSince(depth)).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(ScrubDepth.class)
  void onlyStripesOfWhichANodeDidNotAnswerAreLookedAtAgain(ScrubDepth depth) throws IOException {
    long inode = raided("/large", 5 * 6);
    integrity.run();
    at(depth).run();
    looks.clear();
    catalog.scrubs().hasten(inode, depth, time.instant().plusSeconds(1), time.instant());
    Set<Integer> gaps = new HashSet<>(Set.of(1, 3));
    before =
        (stripe, blocks) -> {
          if (gaps.contains(stripe.index())) {
            silent.addAll(bench.cluster.allNodes());
            StripeHealth unknown = check.check(stripe);
            silent.clear();
            return new StripeScrub.Seen(unknown, 0, 0, false);
          }
          return null;
        };
    Instant began = time.instant();
    at(depth).run();
    assertThat(looks).containsExactly("/large#0", "/large#1", "/large#2", "/large#3", "/large#4");
    looks.clear();
    time.pass(Duration.ofMinutes(1));
    at(depth).run();
    assertThat(looks).as("not at once").isEmpty();

    gaps.remove(3);
    Duration pause = depth == ScrubDepth.DEEP ? Duration.ofDays(1) : Duration.ofHours(1);
    time.pass(pause);
    restart();
    at(depth).run();

    assertThat(looks).containsExactly("/large#1", "/large#3");
    assertThat(catalog.scrubs().neverScrubbedSince(depth)).isPresent();
    gaps.clear();
    looks.clear();
    time.pass(pause);
    at(depth).run();

    assertThat(looks).containsExactly("/large#1");
    assertThat(catalog.scrubs().neverScrubbedSince(depth)).isEmpty();
    assertThat(catalog.scrubs().find(inode).orElseThrow().at(depth).done())
        .as("the age of its oldest stripe")
        .contains(began);
  }

  @Test
  void whatIsOnItsWayInOrOutIsAskedForAndNotRead() throws IOException {
    catalog.scrubs().meet(bench.inode, time.instant());
    bench.cluster.mark(bench.inode, ParityPhase.UNRAIDING);

    at(ScrubDepth.PRESENCE).run();
    assertThat(looks).hasSize(2);
    assertThat(at(ScrubDepth.DEEP).run()).isZero();

    assertThat(looks).hasSize(2);
  }

  @Test
  void parityThatIsGoneIsForgotten() throws IOException {
    integrity.run();
    rot(0, 1);
    at(ScrubDepth.DEEP).run();
    StripeKey key = key(0);
    assertThat(catalog.rotten().of(key)).hasSize(1);
    bench.cluster.quarantine(bench.cluster.find(bench.inode).orElseThrow());
    time.pass(Duration.ofDays(31));

    at(ScrubDepth.DEEP).run();

    assertThat(catalog.scrubs().find(bench.inode)).isEmpty();
    assertThat(catalog.scrubs().oldest()).isEmpty();
    assertThat(catalog.rotten().of(key)).isEmpty();
  }

  @Test
  void aDepthThatIsSwitchedOffLooksAtNothing() throws IOException {
    catalog.close();
    wire(new ScrubJob.Settings(Duration.ZERO, Duration.ZERO, Duration.ofDays(7)));
    integrity.run();

    at(ScrubDepth.PRESENCE).run();
    at(ScrubDepth.DEEP).run();

    assertThat(looks).isEmpty();
  }

  // What is found

  private StripeKey key(int stripe) throws IOException {
    return new StripeKey(stripes().get(stripe).parityInode(), stripe);
  }

  @Test
  void rotIsFoundByReadingOnlyAndStaysKnownUntilItIsPutRight() throws IOException {
    integrity.run();
    rot(0, 2);
    rot(0, 7);
    at(ScrubDepth.PRESENCE).run();
    integrity.runAsking();
    assertThat(ledger()).as("all questions").isEmpty();

    at(ScrubDepth.DEEP).run();

    assertThat(ledger())
        .singleElement()
        .satisfies(
            repair -> {
              assertThat(repair.lost()).isEqualTo(UnitSet.of(2, 7));
              assertThat(repair.detectedBy()).isEqualTo("SCRUB");
            });
    restart();
    time.pass(Duration.ofHours(7));
    integrity.run();
    integrity.runAsking();
    at(ScrubDepth.PRESENCE).run();
    assertThat(ledger()).as("what asks only does not forget it").hasSize(1);
    StripeHealth health = check.checkAgain(stripes().get(0));
    assertThat(health.state()).isEqualTo(State.DEGRADED);
    assertThat(health.findings()).extracting(finding -> finding.fault()).containsOnly(Fault.ROTTEN);
    assertThat(health.findings())
        .extracting(finding -> finding.source())
        .containsOnly(DetectionSource.SCRUB);
    assertThat(health.unreportedBadReplicas())
        .as("the repair tells the NameNode")
        .extracting(BadReplica::unit)
        .containsExactlyInAnyOrder(2, 7);
    assertThat(history())
        .anySatisfy(
            line -> {
              assertThat(line.event()).isEqualTo("scrubbed");
              assertThat(line.succeeded()).isFalse();
              assertThat(line.detail()).contains("2 bad", "unit 2 of stripe 0");
            });
  }

  @ParameterizedTest
  @EnumSource(ScrubDepth.class)
  void aReplicaThatHdfsIsAboutToDropIsNotCalledBad(ScrubDepth depth) throws IOException {
    integrity.run();
    DataNode excess = anotherReplica(0, 2);
    deleted.add(excess);

    at(depth).run();

    assertThat(ScrubJob.pass(depth, catalog.notes()).orElseThrow().bad()).isZero();
    assertThat(history()).allMatch(HistoryRecord::succeeded);
    assertThat(catalog.scrubs().neverScrubbedSince(depth)).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(ScrubDepth.class)
  void aReplicaThatWasDroppedAfterTheListWasMadeIsNotCalledBad(ScrubDepth depth)
      throws IOException {
    integrity.run();
    DataNode excess = anotherReplica(0, 2);
    long block = unit(0, 2).block().id();
    before =
        (stripe, blocks) -> {
          deleted.add(excess);
          bench.cluster.deleteReplica(block, excess);
          return null;
        };

    at(depth).run();

    assertThat(ScrubJob.pass(depth, catalog.notes()).orElseThrow().bad()).isZero();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aVanishedReplicaOfTooFewIsCalledBad(boolean isNoticed) throws IOException {
    integrity.run();
    bench.cluster.setReplication(bench.inode, 2);
    long block = unit(0, 2).block().id();
    DataNode vanished = unit(0, 2).live().get(1).node();
    ScrubDepth depth = ScrubDepth.DEEP;
    before =
        (stripe, blocks) -> {
          if (stripe.index() == 0) {
            deleted.add(vanished);
            if (isNoticed) {
              bench.cluster.deleteReplica(block, vanished);
            }
          }
          return null;
        };

    at(depth).run();

    assertThat(ScrubJob.pass(depth, catalog.notes()).orElseThrow().bad()).isEqualTo(1);
    assertThat(ledger()).as("its unit has another replica").isEmpty();
  }

  /** Returns the node of a second replica of a unit, which is one more than asked for. */
  private DataNode anotherReplica(int stripe, int unit) throws IOException {
    LocatedBlock located = unit(stripe, unit);
    byte[] bytes = new byte[(int) located.block().length()];
    ByteBuffer.wrap(bench.cluster.contentOf(RaidBench.PATH))
        .position(position(located.block()))
        .get(bytes);
    DataNode node =
        bench.cluster.allNodes().stream()
            .filter(other -> !located.holders().contains(other))
            .findFirst()
            .orElseThrow();
    bench.cluster.keepExcess(true);
    bench.cluster.deliver(located.block(), node, bytes);
    return node;
  }

  @Test
  void aReplicaThatHasBecomeGoodIsReadAgainBeforeAnythingIsDone() throws IOException {
    integrity.run();
    rot(0, 2);
    at(ScrubDepth.DEEP).run();
    LocatedBlock block = unit(0, 2);
    DataNode node = block.live().get(0).node();
    byte[] good = new byte[(int) block.block().length()];
    ByteBuffer.wrap(bench.cluster.contentOf(RaidBench.PATH))
        .position(position(block.block()))
        .get(good);
    bench.cluster.deleteReplica(block.block().id(), node);
    bench.cluster.deliver(block.block(), node, good);
    assertThat(check.check(stripes().get(0)).state()).isEqualTo(State.DEGRADED);

    assertThat(check.checkAgain(stripes().get(0)).state()).isEqualTo(State.HEALTHY);
    assertThat(check.check(stripes().get(0)).state()).isEqualTo(State.HEALTHY);
    assertThat(catalog.rotten().of(key(0))).isEmpty();
  }

  private int position(Block wanted) throws IOException {
    int position = 0;
    for (Block block : bench.cluster.file(bench.inode).orElseThrow().contents()) {
      if (block.equals(wanted)) {
        return position;
      }
      position += (int) block.length();
    }
    throw new AssertionError(wanted);
  }

  @Test
  void otherContentIsFoundByAsking() throws IOException {
    integrity.run();
    assertThat(ledger()).as("by the NameNode's word").isEmpty();
    bench.stale.add(unit(1, 6).live().get(0).node());

    at(ScrubDepth.PRESENCE).run();

    assertThat(ledger())
        .extracting(RepairState::detectedBy)
        .isNotEmpty()
        .containsOnly("DATANODE_CHECKSUM");
    integrity.run();
    assertThat(ledger()).as("known, so its nodes are asked, too").isNotEmpty();
    bench.stale.clear();
    integrity.run();
    assertThat(ledger()).isEmpty();
  }

  @Test
  void zeroedParityAndASwappedBlockAreNamed() throws IOException {
    integrity.run();
    LocatedBlock parity = unit(0, 6);
    LocatedBlock data = unit(0, 0);
    overwrite(parity, new byte[(int) parity.block().length()]);
    byte[] other = new byte[(int) data.block().length()];
    new Random(99).nextBytes(other);
    overwrite(data, other);

    at(ScrubDepth.DEEP).run();

    assertThat(ledger())
        .singleElement()
        .satisfies(repair -> assertThat(repair.lost()).isEqualTo(UnitSet.of(0, 6)));
    assertThat(check.check(stripes().get(0)).findings())
        .extracting(finding -> finding.fault())
        .containsOnly(Fault.OTHER_CONTENT);
  }

  /** These bytes and checksums that fit them, under the same block. */
  private void overwrite(LocatedBlock located, byte[] bytes) throws IOException {
    DataNode node = located.live().get(0).node();
    bench.cluster.deleteReplica(located.block().id(), node);
    bench.cluster.deliver(located.block(), node, bytes);
  }

  @Test
  void thatAStripeIsHealthyDoesNotUndoWhatOthersHaveFoundMeanwhile() throws IOException {
    integrity.run();
    before =
        (stripe, blocks) -> {
          // Lost while it is read, and noticed by somebody else.
          StripeHealth healthy = check.judge(stripe);
          if (stripe.index() == 0) {
            LocatedBlock block = stripe.unit(1).located().orElseThrow();
            bench.cluster.deleteReplica(block.block().id(), block.live().get(0).node());
            stripes.check(bench.inode);
          }
          return new StripeScrub.Seen(healthy, 1, 0, false);
        };

    at(ScrubDepth.DEEP).run();

    assertThat(ledger()).hasSize(1);
  }

  @Test
  void nothingIsHeatedAndEveryReplicaIsReadOnce() throws IOException {
    Instant accessed = bench.cluster.file(bench.inode).orElseThrow().accessed();
    integrity.run();
    bench.cluster.resetCounts();

    at(ScrubDepth.PRESENCE).run();
    assertThat(bench.cluster.bytesRead()).isZero();
    at(ScrubDepth.DEEP).run();

    long units = 7 * (long) RaidBench.BLOCK - RaidBench.BLOCK + 1_000;
    long parity = bench.cluster.find(bench.inode).orElseThrow().file().length();
    assertThat(bench.cluster.bytesRead()).isEqualTo(units + parity);
    ScrubPass pass = ScrubJob.pass(ScrubDepth.DEEP, catalog.notes()).orElseThrow();
    assertThat(pass.bytes()).isEqualTo(units + parity);
    assertThat(pass.stripes()).isEqualTo(2);
    assertThat(bench.cluster.file(bench.inode).orElseThrow().accessed()).isEqualTo(accessed);
  }

  // By hand

  @Test
  void onRequestAFileIsScrubbedNowAndTheHistoryTellsWhatCameOfIt() throws IOException {
    integrity.run();
    at(ScrubDepth.DEEP).run();
    looks.clear();
    rot(1, 0);

    requested.get(ScrubDepth.DEEP).scrub(bench.inode, "operator");

    assertThat(looks).hasSize(2);
    assertThat(ledger()).hasSize(1);
    requested.get(ScrubDepth.PRESENCE).scrub(bench.inode, "operator");
    assertThat(history().get(0).detail()).contains("Asked for 2 stripes", "1 bad");
    assertThat(history().get(1).detail()).contains("Read 2 stripes", "unit 0 of stripe 1");
    assertThat(history().get(1).by()).isEqualTo("operator");
    assertThat(catalog.scrubs().neverScrubbedSince(ScrubDepth.PRESENCE)).isEmpty();
  }

  /** What stays of what was read to encode it is read again when its turn comes next. */
  @Test
  void theFirstDeepScrubReadsWhatWasNotReadInFullToEncodeIt() throws IOException {
    Set<Long> stayed = new HashSet<>();
    Set<Long> data = new HashSet<>();
    Set<Long> all = new HashSet<>();
    for (LocatedStripe stripe : stripes()) {
      for (StripeUnit unit : stripe.units()) {
        unit.located()
            .ifPresent(
                located -> {
                  all.add(located.block().id());
                  Replica read = bench.fullReads.get(located.block());
                  if (read != null) {
                    data.add(located.block().id());
                  }
                  if (located.live().stream().allMatch(replica -> replica.equals(read))) {
                    stayed.add(located.block().id());
                  }
                });
      }
    }
    assertThat(data).as("read in full to be encoded").hasSize(7);
    assertThat(stayed).as("stayed of that").isNotEmpty();
    catalog.encodingReads().put(bench.fullReads);
    integrity.run();

    long files = at(ScrubDepth.DEEP).run();
    assertThat(files).isEqualTo(1);
    all.removeAll(stayed);
    assertThat(opened).isEqualTo(all).isNotEmpty();

    time.pass(Duration.ofDays(31));
    files = at(ScrubDepth.DEEP).run();
    assertThat(files).isEqualTo(1);
    assertThat(opened).containsAll(data);
  }

  @Test
  void aRequestThatIsCancelledEndsAfterTheStripeUnderWay() throws IOException {
    integrity.run();
    before =
        (stripe, blocks) -> {
          Thread.currentThread().interrupt();
          return new StripeScrub.Seen(check.judge(stripe), 1, 0, false);
        };
    try {
      assertThatThrownBy(() -> requested.get(ScrubDepth.DEEP).scrub(bench.inode, "operator"))
          .isInstanceOf(InterruptedIOException.class)
          .hasMessageContaining("1 of 2 stripes");
    } finally {
      Thread.interrupted();
    }
    assertThat(looks).hasSize(1);
    assertThat(catalog.scrubs().neverScrubbedSince(ScrubDepth.DEEP)).isPresent();
  }

  private List<HistoryRecord> history() {
    return catalog.history().newest(Optional.empty(), line -> true, 100, 100).stream()
        .map(History.Line::outcome)
        .toList();
  }
}
