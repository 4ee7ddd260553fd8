// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.select;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.hdfsraid.drfs.step.StepListener;
import io.hdfsraid.policies.Action;
import io.hdfsraid.policies.FileFacts;
import io.hdfsraid.policies.Judge;
import io.hdfsraid.policies.PathGlob;
import io.hdfsraid.policies.Policies;
import io.hdfsraid.policies.Policy;
import io.hdfsraid.policies.Reason;
import io.hdfsraid.policies.ReheatRule;
import io.hdfsraid.policies.capacity.SpaceUsage;
import io.hdfsraid.policies.window.ManualOverride;
import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.FileRecord;
import io.hdfsraid.raidnode.job.RaidBench;
import io.hdfsraid.raidnode.journal.Journal;
import io.hdfsraid.raidnode.journal.RaidEvents;
import io.hdfsraid.raidnode.mode.OperatingMode;
import io.hdfsraid.raidnode.mode.WorkingHours;
import io.hdfsraid.raidnode.raiding.Pipelines;
import io.hdfsraid.raidnode.raiding.core.FilesInWork;
import io.hdfsraid.raidnode.raiding.core.RaidProgress;
import io.hdfsraid.raidnode.raiding.core.Reductions;
import io.hdfsraid.raidnode.raiding.core.WorkInProgress;
import io.hdfsraid.raidnode.raiding.file.Unraider;
import io.hdfsraid.raidnode.scrub.FirstReads;
import io.hdfsraid.raidnode.scrub.ScrubJob;
import io.hdfsraid.raidnode.upkeep.ReconcileJob;
import io.hdfsraid.raidnode.worker.Workers;
import io.hdfsraid.recency.ListedNamespace;
import io.hdfsraid.recency.Recency;
import io.hdfsraid.recency.RecencyOptions;
import io.hdfsraid.recency.index.IndexedFacts;
import io.hdfsraid.recency.namespace.Access;
import io.hdfsraid.recency.namespace.Watermark;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** A raided file that is read again, or that a policy does not want raided any more. */
class ReheatJobTest {
  private static final Instant RAIDED = Instant.parse("2029-06-01T00:00:00Z");
  private static final Clock THEN = Clock.fixed(RAIDED, ZoneOffset.UTC);
  private static final Clock NOW = Clock.fixed(RAIDED.plus(Duration.ofDays(20)), ZoneOffset.UTC);
  private static final Policy COLD =
      new Policy(
          "cold",
          List.of(PathGlob.of("/warehouse")),
          List.of(),
          Duration.ofDays(1),
          Duration.ZERO,
          0,
          RaidBench.RS,
          Optional.empty());
  private static final ReheatRule RULE =
      new ReheatRule(5, Duration.ofDays(20), Duration.ofDays(7), Duration.ofDays(30));

  @TempDir Path folder;

  private final RaidBench bench = new RaidBench();
  private final ListedNamespace namespace = new ListedNamespace();
  private final ExecutorService threads = Executors.newSingleThreadExecutor();
  private final List<Long> copied = new ArrayList<>();
  private final AtomicInteger judged = new AtomicInteger();
  private final FilesInWork busy = new FilesInWork();
  private Catalog catalog;
  private ReconcileJob reconciler;

  @BeforeEach
  void open() {
    catalog = Catalog.open(folder, NOW);
    FileFacts facts =
        FileFacts.of(RaidBench.PATH, bench.inode, bench.content.length, RaidBench.BLOCK, 3, RAIDED);
    namespace.put(facts);
    namespace.takeInto(catalog.namespace(), catalog.notes(), NOW.instant());
  }

  private void raid() throws IOException {
    reduce();
    reconciler.run();
    assertThat(record().state()).isEqualTo(FileState.RAIDED);
  }

  /** Raided, and not audited yet. */
  private void reduce() throws IOException {
    Pipelines daemon = bench.daemon(StepListener.NONE);
    Journal journal = new Journal(catalog, THEN, RaidEvents.NONE);
    reconciler =
        new ReconcileJob(
            catalog,
            daemon.groupReconciler(),
            daemon.fileReconciler(),
            new Unraider(
                bench.access(bench.cluster),
                bench.lost(),
                new WorkInProgress(
                    busy,
                    daemon.unaudited(),
                    daemon.reports(),
                    Reductions.NONE,
                    StepListener.NONE)),
            new Workers(threads),
            journal,
            THEN);
    journal.worked(
        "raid",
        bench.inode,
        daemon.raider().raid(bench.inode, RaidBench.RS, RaidProgress.NONE),
        "cold");
    assertThat(record().state()).isEqualTo(FileState.REDUCED);
  }

  @AfterEach
  void close() {
    threads.shutdownNow();
    catalog.close();
    bench.close();
  }

  private FileRecord record() {
    return catalog.files().find(bench.inode).orElseThrow();
  }

  /** In memory they are there at once. */
  private void assertThatItHasItsReplicas() throws IOException {
    assertThat(record().state()).isEqualTo(FileState.LEFT);
    assertThat(bench.cluster.file(bench.inode).orElseThrow().replication()).isEqualTo(3);
  }

  private PoliciesInForce policies(Policy... inOrder) {
    return new PoliciesInForce(
        new Policies(List.of(inOrder), List.of(), 0),
        held -> new Judge(held, "/.raid", new CodecEstimate(), new Judging()));
  }

  /** A judge asks for the time once for each file. */
  private final class Judging extends Clock {
    @Override
    public ZoneId getZone() {
      return NOW.getZone();
    }

    @Override
    public Clock withZone(ZoneId zone) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Instant instant() {
      judged.incrementAndGet();
      return NOW.instant();
    }
  }

  private int run(PoliciesInForce policies) throws IOException {
    RaidEvents events =
        new RaidEvents() {
          @Override
          public void reheated(FileRecord file, long bytes) {
            copied.add(bytes);
          }
        };
    return new ReheatJob(
            catalog,
            new Recency(
                catalog.namespace(),
                catalog.notes(),
                reads -> {},
                namespace,
                RecencyOptions.listing("/.raid", Optional.of(Instant.EPOCH)),
                NOW),
            new ActingPolicies(
                policies,
                new OperatingMode(catalog.notes(), NOW),
                new WorkingHours(catalog.notes(), NOW),
                new RememberedGates(catalog, rule -> new SpaceUsage(0, 0, 0)),
                new FirstReads(
                    catalog.scrubs(),
                    new ScrubJob.Settings(Duration.ZERO, Duration.ZERO, Duration.ofDays(7))),
                NOW),
            new Reheater(catalog, reconciler, new Journal(catalog, NOW, events), events, NOW),
            NOW)
        .run();
  }

  private void read(int times) {
    readBefore(NOW.instant(), times);
  }

  /** Once a day. */
  private void readBefore(Instant end, int times) {
    for (int i = 0; i < times; i++) {
      long at = end.minus(Duration.ofHours(24L * (i + 1))).toEpochMilli();
      catalog
          .namespace()
          .accessed(
              List.of(new Access(RaidBench.PATH, at)),
              new Watermark("test", Integer.toString(i)),
              (access, inode) -> {});
    }
  }

  @Test
  void aFileThatIsReadAgainAndAgainGetsItsReplicasBackAndIsLeftForAWhile() throws IOException {
    raid();
    read(9);

    assertThat(run(policies(COLD.reheating(RULE)))).isEqualTo(1);

    assertThatItHasItsReplicas();
    assertThat(copied).containsExactly(2L * bench.content.length);
    assertThat(catalog.reheatCosts().now().reheatedFiles()).isEqualTo(1);
    assertThat(catalog.reheatCosts().now().reheatedBytes()).isEqualTo(copied.get(0));
    FileFacts facts =
        catalog
            .reheats()
            .complete(IndexedFacts.of(catalog.namespace().file(bench.inode).orElseThrow()));
    Judge tolerant = policies(COLD.reheating(RULE)).judge();
    assertThat(
            tolerant
                .verdict(facts, io.hdfsraid.policies.AccessTracking.since(Instant.EPOCH))
                .whyNot())
        .contains(Reason.COOLING_DOWN);
  }

  @Test
  void eachFileThatIsReheatedIsOneLineInTheLog() throws IOException {
    raid();
    read(9);
    Logger log = (Logger) LoggerFactory.getLogger(Reheater.class);
    ListAppender<ILoggingEvent> lines = new ListAppender<>();
    lines.start();
    Level usual = log.getLevel();
    log.setLevel(Level.INFO);
    log.addAppender(lines);
    try {
      assertThat(run(policies(COLD.reheating(RULE)))).isEqualTo(1);
    } finally {
      log.detachAppender(lines);
      log.setLevel(usual);
    }

    assertThat(lines.list).hasSize(1);
    assertThat(lines.list.get(0).getKeyValuePairs().toString())
        .contains(RaidBench.PATH, "It was opened about ", " times within ");
  }

  @Test
  void aFileThatIsReadOnceStaysRaided() throws IOException {
    raid();
    read(1);

    assertThat(run(policies(COLD.reheating(RULE)))).isZero();

    assertThat(record().state()).isEqualTo(FileState.RAIDED);
    assertThat(catalog.reheats().of(bench.inode)).isEmpty();
  }

  @Test
  void whoReadAFileBeforeItWasRaidedDoesNotSpeakForItsReplicas() throws IOException {
    readBefore(RAIDED, 50);
    raid();
    assertThat(run(policies(COLD.reheating(RULE)))).as("not read since").isZero();

    read(1);

    assertThat(run(policies(COLD.reheating(RULE)))).as("read once since").isZero();
    assertThat(record().state()).isEqualTo(FileState.RAIDED);

    read(9);

    assertThat(run(policies(COLD.reheating(RULE)))).as("read again and again").isEqualTo(1);
    assertThat(catalog.earlierUse().of(bench.inode)).isEmpty();
  }

  @Test
  void whereNobodyCountedWhenAFileWasRaidedWhatIsReadFromNowOnCounts() throws IOException {
    readBefore(RAIDED, 50);
    raid();
    catalog.earlierUse().forget(bench.inode);
    read(9);
    assertThat(run(policies(COLD.reheating(RULE)))).isZero();

    read(9);

    assertThat(run(policies(COLD.reheating(RULE)))).isEqualTo(1);
  }

  @Test
  void aFileThatIsInWorkIsReheatedByTheNextRound() throws IOException {
    raid();
    read(9);
    PoliciesInForce policies = policies(COLD.reheating(RULE));
    assertThat(busy.<Integer>alone(bench.inode, () -> run(policies))).isZero();
    assertThat(copied).isEmpty();

    assertThat(run(policies)).isEqualTo(1);

    assertThatItHasItsReplicas();
    assertThat(catalog.reheats().of(bench.inode)).isPresent();
  }

  @Test
  void withoutARuleAFileStaysRaidedHoweverOftenItIsRead() throws IOException {
    raid();
    read(9);

    assertThat(run(policies(COLD))).isZero();

    assertThat(record().state()).isEqualTo(FileState.RAIDED);
  }

  @Test
  void aPolicyLetsFilesGoInItsHours() throws IOException {
    raid();
    PoliciesInForce wanted = policies(COLD.doing(new Action.ToUnraid()));
    WorkingHours hours = new WorkingHours(catalog.notes(), NOW);
    hours.override(
        new ManualOverride(ManualOverride.State.CLOSED, NOW.instant().plus(Duration.ofHours(1))));
    assertThat(run(wanted)).isZero();
    assertThat(record().state()).isEqualTo(FileState.RAIDED);

    hours.follow();
    assertThat(run(wanted)).isEqualTo(1);

    assertThatItHasItsReplicas();
    assertThat(copied).as("nobody was wrong").isEmpty();
  }

  /** As a file stays whose units cannot be spread as they should be. */
  @Test
  void aReducedFileIsLetGoAndReheatedLikeARaidedOne() throws IOException {
    reduce();

    assertThat(run(policies(COLD.doing(new Action.ToUnraid())))).isEqualTo(1);

    assertThatItHasItsReplicas();
  }

  @Test
  void raidedFilesAreJudgedOnlyWhereAPolicyUnraids() throws IOException {
    raid();
    Policy unraiding =
        new Policy(
                "out",
                List.of(PathGlob.of("/other")),
                List.of(),
                Duration.ZERO,
                Duration.ZERO,
                0,
                RaidBench.RS,
                Optional.empty())
            .doing(new Action.ToUnraid());

    assertThat(run(policies(COLD.reheating(RULE)))).isZero();
    assertThat(judged).hasValue(0);

    assertThat(run(policies(COLD.reheating(RULE), unraiding))).isZero();
    assertThat(judged).hasValue(1);
  }

  @Test
  void thatAFileWasReheatedIsForgottenAfterTheLongestCoolDown() throws IOException {
    Policy longest =
        COLD.reheating(new ReheatRule(5, Duration.ofDays(2), Duration.ZERO, Duration.ofDays(100)));
    catalog.reheats().put(1, NOW.instant().minus(Duration.ofDays(101)));
    catalog.reheats().put(2, NOW.instant().minus(Duration.ofDays(99)));
    catalog.reheats().put(3, NOW.instant().minus(Duration.ofDays(29)));

    int unused = run(policies(longest));
    assertThat(catalog.reheats().of(1)).isEmpty();
    assertThat(catalog.reheats().of(2)).isPresent();

    int without = run(policies(COLD));
    assertThat(without).isZero();
    assertThat(catalog.reheats().of(2)).isEmpty();
    assertThat(catalog.reheats().of(3)).as("its policy may come back").isPresent();
  }

  @Test
  void whatWasReheatedIsRememberedOverARestart() throws IOException {
    raid();
    read(9);
    int unused = run(policies(COLD.reheating(RULE)));
    catalog.close();
    catalog = Catalog.open(folder, NOW);

    assertThat(catalog.reheats().of(bench.inode)).contains(NOW.instant());
    catalog.reheats().forgetBefore(NOW.instant().plusMillis(1));
    assertThat(catalog.reheats().of(bench.inode)).isEmpty();
  }
}
