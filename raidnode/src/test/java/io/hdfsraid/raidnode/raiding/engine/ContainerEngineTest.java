// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.raiding.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import io.hdfsraid.blockfixer.placement.KeptReplicaForecast;
import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.Distance;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.drfs.manifest.Manifest;
import io.hdfsraid.drfs.namespace.LocatedFile;
import io.hdfsraid.drfs.namespace.StoragePolicy;
import io.hdfsraid.drfs.parity.DraftLoan;
import io.hdfsraid.drfs.parity.ParityDraft;
import io.hdfsraid.drfs.parity.ParityFile;
import io.hdfsraid.drfs.parity.UnitOutput;
import io.hdfsraid.drfs.stripe.EncodedStripe;
import io.hdfsraid.drfs.stripe.EncodingTimes;
import io.hdfsraid.erasurecode.codes.Codecs;
import io.hdfsraid.policies.Reason;
import io.hdfsraid.raidnode.containers.ContainerBounds;
import io.hdfsraid.raidnode.containers.ContainerJobListener;
import io.hdfsraid.raidnode.containers.ContainerJobs;
import io.hdfsraid.raidnode.containers.FakeContainerJobs;
import io.hdfsraid.raidnode.containers.FakeContainerJobs.FakeJob;
import io.hdfsraid.raidnode.containers.JobDispatcher;
import io.hdfsraid.raidnode.containers.JobDispatcher.JobReport;
import io.hdfsraid.raidnode.containers.Turns;
import io.hdfsraid.raidnode.raiding.core.LeftAlone;
import io.hdfsraid.raidnode.raiding.engine.EncodingOrder.StripeOrder;
import io.hdfsraid.yarn.job.StripeJob.Stage;
import io.hdfsraid.yarn.work.Answer;
import io.hdfsraid.yarn.work.EncodeWork;
import io.hdfsraid.yarn.work.Work;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class ContainerEngineTest {
  private static final Duration PATIENCE = FakeContainerJobs.PATIENCE;
  private static final Duration GATHER = Duration.ofSeconds(30);

  private volatile Instant now = Instant.parse("2030-01-01T00:00:00Z");
  private final Clock clock = clockOf(() -> now);
  private final FakeContainerJobs jobs = new FakeContainerJobs(ContainerJobs.Kind.ENCODE);
  private volatile boolean wanted = true;
  private volatile long bytesPerSecond;
  private volatile int streams = 4;
  private final Told told = new Told();
  private final JobDispatcher dispatcher =
      new JobDispatcher(
          jobs,
          () -> wanted,
          () -> wanted,
          new ContainerBounds(() -> bytesPerSecond, () -> streams),
          told,
          clock);
  private final FakeLocal local = new FakeLocal();
  private final ContainerEngine engine =
      new ContainerEngine(jobs, dispatcher, local, new Turns(() -> 1));

  private static Clock clockOf(InstantSource source) {
    return new Clock() {
      @Override
      public ZoneOffset getZone() {
        return ZoneOffset.UTC;
      }

      @Override
      public Clock withZone(java.time.ZoneId zone) {
        return this;
      }

      @Override
      public Instant instant() {
        return source.instant();
      }
    };
  }

  // What the engine works with

  private static DataNode node(int i) {
    return new DataNode("dn-" + i, "10.0.0." + i + ":9866", "host" + i, "/rack" + i % 2);
  }

  private static LocatedBlock block(long id) {
    return new LocatedBlock(
        new Block(id, 1, 100),
        List.of(new Replica(node(1), "DISK", true), new Replica(node(2), "DISK", true)),
        List.of());
  }

  private static EncodingOrder order(ParityDraft draft, int stripes) {
    return new EncodingOrder(
        Codecs.parse("rs-3-2"),
        StoragePolicy.UNSPECIFIED,
        new KeptReplicaForecast(List.of()),
        draft,
        IntStream.range(0, stripes)
            .mapToObj(
                i ->
                    new StripeOrder(
                        i,
                        List.of(block(10L * i), block(10L * i + 1)),
                        List.of(node(3), node(4)),
                        100))
            .toList());
  }

  private static final class FakeDraft implements ParityDraft {
    private final TreeMap<Integer, String> taken = new TreeMap<>();
    private boolean lent;

    @Override
    public DraftLoan lend(String user) {
      lent = true;
      return new DraftLoan() {
        @Override
        public String directory() {
          return "/draft-of-" + user;
        }

        @Override
        public String address(DataNode node) {
          return node.address();
        }

        @Override
        public void close() {
          lent = false;
        }
      };
    }

    @Override
    public void take(int index, String name, long length) {
      taken.put(index, name);
    }

    @Override
    public UnitOutput create(int index, Optional<DataNode> favoured, long length) {
      throw new UnsupportedOperationException();
    }

    @Override
    public LocatedFile concat(int units) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void describe(Manifest manifest, LocatedFile source) {
      throw new UnsupportedOperationException();
    }

    @Override
    public ParityFile commit() {
      throw new UnsupportedOperationException();
    }

    @Override
    public void close() {}
  }

  private static final class FakeLocal implements Engine {
    private final List<Integer> encoded = new CopyOnWriteArrayList<>();
    private boolean lentMeanwhile;

    @Override
    public boolean encodesNearData() {
      return false;
    }

    @Override
    public void encode(EncodingOrder order, EncodingWatcher watcher) throws IOException, LeftAlone {
      lentMeanwhile |= order.draft() instanceof FakeDraft draft && draft.lent;
      for (StripeOrder stripe : order.stripes()) {
        encoded.add(stripe.index());
        watcher.encoded(
            stripe.index(),
            new EncodedStripe(
                List.of(1, 2), List.of(3, 4), List.of(), List.of(), new EncodingTimes(0, 0, 0, 0)),
            List.of());
      }
    }
  }

  private static void answer(FakeJob job, Work work) {
    EncodeWork one = (EncodeWork) work;
    job.answers.add(
        new Answer.Encoded(
            one.order(),
            one.stripe(),
            "attempt_1",
            List.of(1, 2),
            List.of(3, 4),
            List.of(Distance.SAME_NODE, Distance.OFF_RACK),
            List.of(),
            new EncodingTimes(0, 0, 0, 0)));
  }

  /** Records what the dispatcher tells of its jobs. */
  private static final class Told implements ContainerJobListener {
    private final Map<Distance, Long> read = new ConcurrentHashMap<>();
    private final List<Boolean> ended = new CopyOnWriteArrayList<>();
    private volatile int containers;
    private volatile boolean refused;

    @Override
    public void looked(ContainerJobs.Kind kind, List<JobReport> jobs, boolean isRefused) {
      containers = jobs.stream().mapToInt(job -> job.status().containers()).sum();
      refused = isRefused;
    }

    @Override
    public void readInContainer(ContainerJobs.Kind kind, Distance distance, long bytes) {
      read.merge(distance, bytes, Long::sum);
    }

    @Override
    public void jobEnded(ContainerJobs.Kind kind, boolean complete) {
      ended.add(complete);
    }
  }

  /** What a file hears. */
  private static final class Heard implements EncodingWatcher {
    private final TreeMap<Integer, EncodedStripe> stripes = new TreeMap<>();
    private long bytes;
    private String application = "";

    @Override
    public void encodedIn(String name) {
      application = name;
    }

    @Override
    public void read(long more) {
      bytes += more;
    }

    @Override
    public void encoded(int stripe, EncodedStripe encoded, List<Distance> distances) {
      stripes.put(stripe, encoded);
    }
  }

  private CompletableFuture<Heard> encode(EncodingOrder order) {
    Heard heard = new Heard();
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            engine.encode(order, heard);
            return heard;
          } catch (IOException | LeftAlone e) {
            throw new CompletionException(e);
          }
        });
  }

  private static Heard end(CompletableFuture<Heard> encoding) throws Exception {
    return encoding.get(30, TimeUnit.SECONDS);
  }

  /** Turns until something holds. */
  private void turnUntil(BooleanSupplier holds) {
    while (!holds.getAsBoolean()) {
      if (Thread.interrupted()) {
        throw new AssertionError("Turned in vain; " + dispatcher.jobs() + dispatcher.refusal());
      }
      dispatcher.turn();
      Thread.onSpinWait();
    }
  }

  private FakeJob awaitJob(int number) {
    turnUntil(() -> jobs.submitted.size() >= number);
    return jobs.submitted.get(number - 1);
  }

  @Test
  void stripesAreEncodedInContainersAndTheirUnitsTaken() throws Exception {
    FakeDraft draft = new FakeDraft();
    CompletableFuture<Heard> encoding = encode(order(draft, 2));
    FakeJob job = awaitJob(1);
    assertThat(job.work)
        .extracting(work -> ((EncodeWork) work).directory())
        .containsOnly("/draft-of-raid");
    assertThat(((EncodeWork) job.work.get(0)).favoured())
        .containsExactly(node(3).address(), node(4).address());

    job.run(2);
    dispatcher.turn();
    assertThat(told.containers).isEqualTo(2);
    job.work.forEach(work -> answer(job, work));
    job.stage(Stage.ENDED, "");
    dispatcher.turn();

    Heard heard = end(encoding);
    assertThat(told.read)
        .containsOnly(entry(Distance.SAME_NODE, 200L), entry(Distance.OFF_RACK, 200L));
    assertThat(told.ended).containsExactly(true);
    assertThat(told.containers).isZero();
    assertThat(told.refused).isFalse();
    assertThat(heard.stripes.keySet()).containsExactly(0, 1);
    assertThat(heard.stripes.get(1).readFrom()).as("of which nothing is proven").isEmpty();
    assertThat(heard.bytes).isEqualTo(400);
    assertThat(heard.application).isEqualTo("application_1");
    assertThat(draft.taken)
        .containsEntry(0, "0-attempt_1")
        .containsEntry(3, "3-attempt_1")
        .hasSize(4);
    assertThat(draft.lent).isFalse();
    assertThat(local.encoded).isEmpty();
    assertThat(job.closed).isTrue();
    assertThat(dispatcher.jobs()).isEmpty();
  }

  @Test
  void filesShareAJobAndEachGetsItsOwnAnswers() throws Exception {
    FakeDraft one = new FakeDraft();
    FakeDraft two = new FakeDraft();
    // 1,000 bytes fill a job, so it does not wait for more.
    jobs.gather = GATHER;
    CompletableFuture<Heard> first = encode(order(one, 2));
    CompletableFuture<Heard> second = encode(order(two, 3));
    FakeJob job = awaitJob(1);
    assertThat(job.work).hasSize(5);

    job.work.forEach(work -> answer(job, work));
    dispatcher.turn();

    assertThat(List.of(end(first).stripes.size(), end(second).stripes.size()))
        .containsExactly(2, 3);
    assertThat(dispatcher.jobs())
        .singleElement()
        .returns("application_1", JobReport::application)
        .returns(2, JobReport::works)
        .returns(5, JobReport::stripes)
        .returns(5, JobReport::answered);
  }

  @Test
  void whatATaskHasNotEncodedTheDaemonEncodesAfterTheLoan() throws Exception {
    FakeDraft draft = new FakeDraft();
    CompletableFuture<Heard> encoding = encode(order(draft, 3));
    FakeJob job = awaitJob(1);
    answer(job, job.work.get(0));
    job.answers.add(new Answer.Failed(0, 1, "attempt_1", "host: token expired"));
    job.stage(Stage.ENDED, "Task failed");
    dispatcher.turn();

    assertThat(end(encoding).stripes.keySet()).containsExactly(0, 1, 2);
    assertThat(told.ended).as("complete").containsExactly(false);
    assertThat(local.encoded).containsExactlyInAnyOrder(1, 2);
    assertThat(local.lentMeanwhile).isFalse();
    assertThat(draft.taken.keySet()).containsExactly(0, 1);
    assertThat(dispatcher.accepts()).as("accepts the next file").isTrue();
  }

  @Test
  void aJobOfWhichNoTaskHasAnsweredIsTheLastOneForAWhile() throws Exception {
    CompletableFuture<Heard> encoding = encode(order(new FakeDraft(), 2));
    awaitJob(1).stage(Stage.ENDED, "Container is running beyond its memory");
    dispatcher.turn();

    assertThat(end(encoding).stripes).hasSize(2);
    assertThat(dispatcher.refusal().orElseThrow().why())
        .isEqualTo(
            "No task of job application_1 has answered: Container is running beyond its memory");
    assertThat(told.refused).isTrue();
    now = now.plus(PATIENCE);
    assertThat(dispatcher.accepts()).isTrue();
  }

  @Test
  void aJobIsCompleteWhenEachStripeHasAnAnswerHoweverOftenOneHas() throws Exception {
    CompletableFuture<Heard> encoding = encode(order(new FakeDraft(), 2));
    FakeJob job = awaitJob(1);
    job.answers.add(new Answer.Failed(0, 1, "attempt_1", "host: token expired"));
    job.answers.add(new Answer.Failed(0, 1, "attempt_2", "host: token expired"));
    job.stage(Stage.ENDED, "Task failed");
    dispatcher.turn();

    Heard heard = end(encoding);
    assertThat(heard.stripes).hasSize(2);
    assertThat(heard.application).as("of what the daemon has encoded").isEmpty();
    assertThat(told.ended).as("complete").containsExactly(false);
  }

  @Test
  void aSecondAnswerForAStripeAndAnswersThatDoNotFitAreIgnored() throws Exception {
    FakeDraft draft = new FakeDraft();
    CompletableFuture<Heard> encoding = encode(order(draft, 2));
    FakeJob job = awaitJob(1);
    answer(job, job.work.get(0));
    job.answers.add(
        new Answer.Encoded(
            0,
            0,
            "attempt_2",
            List.of(8, 9),
            List.of(8, 9),
            List.of(Distance.SAME_NODE, Distance.SAME_NODE),
            List.of(),
            new EncodingTimes(0, 0, 0, 0)));
    job.answers.add(
        new Answer.Encoded(
            0,
            1,
            "../../other",
            List.of(1, 2),
            List.of(3, 4),
            List.of(Distance.SAME_NODE, Distance.SAME_NODE),
            List.of(),
            new EncodingTimes(0, 0, 0, 0)));
    job.answers.add(new Answer.Failed(7, 0, "attempt_1", "of no draft of this job"));
    dispatcher.turn();

    assertThat(end(encoding).stripes.get(0).dataCrcs()).containsExactly(1, 2);
    assertThat(draft.taken).containsEntry(0, "0-attempt_1").hasSize(2);
    assertThat(local.encoded).containsExactly(1);
  }

  @Test
  void anAnswerAboutReplicasThatThereAreNotIsNotBelieved() throws Exception {
    CompletableFuture<Heard> encoding = encode(order(new FakeDraft(), 1));
    FakeJob job = awaitJob(1);
    job.answers.add(
        new Answer.Encoded(
            0,
            0,
            "attempt_1",
            List.of(1, 2),
            List.of(3, 4),
            List.of(Distance.SAME_NODE, Distance.OFF_RACK),
            List.of(new Answer.Failure(1, 9, 50, true, "checksum")),
            new EncodingTimes(0, 0, 0, 0)));
    dispatcher.turn();

    assertThat(end(encoding).stripes).hasSize(1);
    assertThat(local.encoded).containsExactly(0);
  }

  @Test
  void aJobThatGetsNoContainersIsGivenUpAndOneThatWorksIsNot() throws Exception {
    CompletableFuture<Heard> encoding = encode(order(new FakeDraft(), 1));
    FakeJob job = awaitJob(1);
    job.run(3);
    dispatcher.turn();
    now = now.plus(PATIENCE).plus(PATIENCE);
    dispatcher.turn();
    assertThat(job.killed).as("killed while its containers work").isFalse();
    job.run(0);
    dispatcher.turn();
    now = now.plus(PATIENCE);
    dispatcher.turn();

    assertThat(end(encoding).stripes).hasSize(1);
    assertThat(job.killed).isTrue();
    assertThat(dispatcher.refusal().orElseThrow().why()).contains("no progress");
  }

  @Test
  void aFileWaitsForAJobNoLongerThanThePatience() throws Exception {
    List<CompletableFuture<Heard>> first =
        List.of(encode(order(new FakeDraft(), 5)), encode(order(new FakeDraft(), 5)));
    awaitJob(2).run(1);
    jobs.submitted.get(0).run(1);
    CompletableFuture<Heard> third = encode(order(new FakeDraft(), 5));
    turnUntil(() -> dispatcher.gathered() == 1);
    now = now.plus(PATIENCE);
    jobs.submitted.forEach(job -> job.run(2));
    dispatcher.turn();

    assertThat(end(third).stripes).hasSize(5);
    assertThat(jobs.submitted).hasSize(2);
    assertThat(first).noneMatch(CompletableFuture::isDone);
    dispatcher.stop();
  }

  @Test
  void aClockThatIsSetBackMakesNobodyWait() throws Exception {
    jobs.refusal = Optional.of(new IOException("full"));
    CompletableFuture<Heard> encoding = encode(order(new FakeDraft(), 1));
    turnUntil(() -> dispatcher.refusal().isPresent());
    assertThat(end(encoding).stripes).hasSize(1);
    now = now.minus(Duration.ofDays(1));

    assertThat(dispatcher.accepts()).isTrue();
  }

  @Test
  void aFileDoesNotWaitForAJobThatCouldNotBeMade() throws Exception {
    jobs.error = Optional.of(new NoClassDefFoundError("org/apache/hadoop/Something"));
    CompletableFuture<Heard> encoding = encode(order(new FakeDraft(), 1));
    assertThatThrownBy(() -> turnUntil(encoding::isDone)).hasMessageContaining("Something");

    assertThat(end(encoding).stripes).hasSize(1);
  }

  @Test
  void aJobThatWaitsForItsQueueTooLongIsEndedAndTheDaemonEncodesForAWhile() throws Exception {
    CompletableFuture<Heard> encoding = encode(order(new FakeDraft(), 1));
    FakeJob job = awaitJob(1);
    job.stage(Stage.WAITING, "Queue's AM resource limit exceeded");
    dispatcher.turn();
    now = now.plus(PATIENCE.minusSeconds(1));
    dispatcher.turn();
    assertThat(encoding).isNotDone();
    now = now.plusSeconds(1);
    dispatcher.turn();

    assertThat(end(encoding).stripes).hasSize(1);
    assertThat(local.encoded).containsExactly(0);
    assertThat(job.killed).isTrue();
    assertThat(dispatcher.refusal().orElseThrow().why()).contains("AM resource limit");
    assertThat(engine.encodesNearData()).isFalse();
    assertThat(end(encode(order(new FakeDraft(), 1))).stripes).hasSize(1);
    assertThat(jobs.submitted).hasSize(1);
    now = now.plus(PATIENCE);
    assertThat(dispatcher.accepts()).isTrue();
    assertThat(dispatcher.refusal()).isEmpty();
  }

  @Test
  void aJobThatYarnRefusesIsEncodedByTheDaemon() throws Exception {
    jobs.refusal = Optional.of(new IOException("Queue cold does not exist"));
    CompletableFuture<Heard> encoding = encode(order(new FakeDraft(), 2));
    turnUntil(() -> dispatcher.refusal().isPresent());

    assertThat(end(encoding).stripes).hasSize(2);
    assertThat(dispatcher.refusal().orElseThrow().why()).contains("Queue cold does not exist");
  }

  @Test
  void aJobThatIsNotHeardOfForTooLongIsGivenUp() throws Exception {
    CompletableFuture<Heard> encoding = encode(order(new FakeDraft(), 1));
    FakeJob job = awaitJob(1);
    job.stage(Stage.RUNNING, "");
    dispatcher.turn();
    job.trouble = Optional.of(new IOException("connection refused"));
    now = now.plus(PATIENCE.minusSeconds(1));
    dispatcher.turn();
    assertThat(encoding).isNotDone();
    now = now.plusSeconds(1);
    dispatcher.turn();

    assertThat(end(encoding).stripes).hasSize(1);
    assertThat(local.encoded).containsExactly(0);
  }

  @Test
  void aJobForWhichNobodyWaitsIsKilled() {
    EncodingOrder order = order(new FakeDraft(), 2);
    CompletableFuture<Void> encoding =
        CompletableFuture.runAsync(
            () -> {
              try {
                engine.encode(
                    order,
                    new EncodingWatcher() {
                      @Override
                      public void read(long bytes) {}

                      @Override
                      public void encoded(
                          int stripe, EncodedStripe encoded, List<Distance> distances)
                          throws LeftAlone {
                        throw new LeftAlone(Reason.REPLICA_UNPROVEN, "rot");
                      }
                    });
              } catch (IOException | LeftAlone e) {
                throw new CompletionException(e);
              }
            });
    FakeJob job = awaitJob(1);
    job.stage(Stage.RUNNING, "");
    answer(job, job.work.get(0));
    dispatcher.turn();

    assertThatThrownBy(() -> encoding.get(30, TimeUnit.SECONDS))
        .hasCauseInstanceOf(LeftAlone.class);
    dispatcher.turn();
    assertThat(job.killed).isTrue();
    assertThat(dispatcher.jobs()).isEmpty();
  }

  @Test
  void aFileGoesToContainersOnlyWhileTheyAreWanted() throws Exception {
    CompletableFuture<Heard> inContainer = encode(order(new FakeDraft(), 1));
    FakeJob job = awaitJob(1);
    wanted = false;

    assertThat(end(encode(order(new FakeDraft(), 2))).stripes).hasSize(2);

    assertThat(local.encoded).containsExactly(0, 1);
    assertThat(engine.encodesNearData()).isFalse();
    assertThat(dispatcher.inUse()).as("in use, for a job runs").isTrue();
    job.work.forEach(work -> answer(job, work));
    job.stage(Stage.ENDED, "");
    dispatcher.turn();
    assertThat(end(inContainer).stripes).hasSize(1);
    assertThat(dispatcher.inUse()).isFalse();
  }

  @Test
  void theJobsOfAFormerDaemonAreEndedOnceAndBeforeOthersAreSubmitted() {
    wanted = false;
    dispatcher.turn();
    assertThat(jobs.askedForFormer).as("asked by a daemon that needs no YARN").isZero();
    wanted = true;
    jobs.away = true;
    dispatcher.turn();
    dispatcher.turn();
    assertThat(jobs.askedForFormer).isEqualTo(2);
    jobs.away = false;
    dispatcher.turn();
    dispatcher.turn();
    assertThat(jobs.askedForFormer).isEqualTo(3);
  }

  @Test
  void theRateIsDividedAmongTheContainersThatRun() {
    bytesPerSecond = 1_000;
    CompletableFuture<Heard> unused = encode(order(new FakeDraft(), 1));
    FakeJob job = awaitJob(1);
    assertThat(job.share).as("before any runs, for one stripe").isEqualTo(1_000);
    job.run(4);
    dispatcher.turn();
    assertThat(job.share).isEqualTo(250);
    bytesPerSecond = 400;
    dispatcher.turn();
    assertThat(job.share).isEqualTo(100);
    bytesPerSecond = 0;
    dispatcher.turn();
    assertThat(job.share).isZero();
    dispatcher.stop();
  }

  @Test
  void dataNodesHaveStreamsForTheContainersOfAllJobs() {
    streams = 1;
    CompletableFuture<Heard> first = encode(order(new FakeDraft(), 30));
    FakeJob job = awaitJob(1);
    int half = FakeContainerJobs.DATA_NODES / 2;
    int most = half / job.work.get(0).streams();
    assertThat(job.containers).isEqualTo(most).isBetween(2, 19);
    CompletableFuture<Heard> second = encode(order(new FakeDraft(), 1));
    assertThat(awaitJob(2).containers).as("beside the other job").isEqualTo(1);
    dispatcher.stop();
    assertThat(first).failsWithin(PATIENCE);
    assertThat(second).failsWithin(PATIENCE);
  }

  @Test
  void whenTheDaemonStopsItsJobsEndAndItsFilesFail() {
    CompletableFuture<Heard> inJob = encode(order(new FakeDraft(), 5));
    FakeJob job = awaitJob(1);

    dispatcher.stop();

    assertThatThrownBy(() -> end(inJob)).hasCauseInstanceOf(InterruptedIOException.class);
    assertThat(local.encoded).isEmpty();
    assertThat(job.killed).isTrue();
    assertThat(job.closed).isTrue();
  }
}
