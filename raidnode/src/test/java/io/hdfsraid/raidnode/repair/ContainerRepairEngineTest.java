// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.repair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsraid.blockfixer.plan.PlannedDelivery;
import io.hdfsraid.blockfixer.repair.RebuildOrder;
import io.hdfsraid.blockfixer.repair.RepairEngine;
import io.hdfsraid.blockfixer.repair.SentUnits;
import io.hdfsraid.blockfixer.repair.TargetFailedException;
import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.Distance;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.drfs.stripe.HelperReads;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import io.hdfsraid.drfs.stripe.StripeUnit;
import io.hdfsraid.drfs.stripe.UnitState;
import io.hdfsraid.erasurecode.ErasureCodec;
import io.hdfsraid.erasurecode.UnitSet;
import io.hdfsraid.erasurecode.codes.Codecs;
import io.hdfsraid.raidnode.containers.ContainerBounds;
import io.hdfsraid.raidnode.containers.ContainerJobListener;
import io.hdfsraid.raidnode.containers.ContainerJobs;
import io.hdfsraid.raidnode.containers.FakeContainerJobs;
import io.hdfsraid.raidnode.containers.FakeContainerJobs.FakeJob;
import io.hdfsraid.raidnode.containers.JobDispatcher;
import io.hdfsraid.raidnode.containers.JobDispatcher.JobReport;
import io.hdfsraid.yarn.job.StripeJob.Stage;
import io.hdfsraid.yarn.work.Answer;
import io.hdfsraid.yarn.work.RepairWork;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class ContainerRepairEngineTest {
  private static final String FIRST = "attempt_1_m_000000_0";
  private static final String SECOND = "attempt_1_m_000000_1";
  private static final ErasureCodec CODEC = Codecs.parse("rs-3-2");
  private static final RebuildOrder ORDER = order(UnitSet.of(1, 4));

  private final FakeContainerJobs jobs = new FakeContainerJobs(ContainerJobs.Kind.REPAIR);
  private final AtomicBoolean wanted = new AtomicBoolean(true);
  private final JobDispatcher dispatcher =
      new JobDispatcher(
          jobs,
          () -> true,
          wanted::get,
          new ContainerBounds(() -> 0, () -> 4),
          ContainerJobListener.NONE,
          Clock.systemUTC());
  private final AtomicBoolean here = new AtomicBoolean();
  private final AtomicInteger waiting = new AtomicInteger();
  private volatile UnitSet known = UnitSet.of(1, 4);
  private final RepairEngine local = (order, bytesRead) -> sentHere();
  private final ContainerRepairEngine engine =
      new ContainerRepairEngine(dispatcher, local, order -> known, waiting, Duration.ofSeconds(10));
  private final AtomicLong bytesRead = new AtomicLong();

  private static DataNode node(int i) {
    return new DataNode("dn-" + i, "10.0.0." + i + ":9866", "host" + i, "/rack" + i);
  }

  private static RebuildOrder order(UnitSet lost) {
    List<StripeUnit> units =
        IntStream.range(0, CODEC.shape().units())
            .mapToObj(
                unit ->
                    new StripeUnit(
                        unit,
                        100,
                        unit,
                        Optional.of(
                            new LocatedBlock(
                                new Block(unit, 1, 100),
                                List.of(new Replica(node(unit), "DISK", true)),
                                List.of())),
                        lost.contains(unit) ? UnitState.LOST : UnitState.LIVE))
            .toList();
    LocatedStripe stripe = new LocatedStripe(16_400, 0, CODEC, CODEC.layout(), 100, units);
    return new RebuildOrder(
        stripe,
        CODEC.recipe(lost, stripe.available(), unit -> 1).orElseThrow(),
        lost.stream().mapToObj(ContainerRepairEngineTest::delivery).toList());
  }

  private static PlannedDelivery delivery(int unit) {
    return new PlannedDelivery(unit, new Block(unit, 1, 100), unit, node(unit + 10), "DISK", false);
  }

  private SentUnits sentHere() {
    here.set(true);
    return new SentUnits() {
      @Override
      public HelperReads reads() {
        return new HelperReads(Map.of(), Map.of(), List.of());
      }

      @Override
      public void finish(PlannedDelivery unit) {}

      @Override
      public void close() {}
    };
  }

  private CompletableFuture<SentUnits> send() {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return engine.send(ORDER, bytesRead::addAndGet);
          } catch (IOException e) {
            throw new CompletionException(e);
          }
        });
  }

  private static SentUnits end(CompletableFuture<SentUnits> sending) throws Exception {
    return sending.get(15, TimeUnit.SECONDS);
  }

  private void turnUntil(BooleanSupplier holds) {
    while (!holds.getAsBoolean()) {
      if (Thread.interrupted()) {
        throw new AssertionError("Turned in vain; " + dispatcher.jobs() + dispatcher.refusal());
      }
      dispatcher.turn();
      Thread.onSpinWait();
    }
  }

  private FakeJob awaitJob() {
    turnUntil(() -> !jobs.submitted.isEmpty());
    return jobs.submitted.get(0);
  }

  private static Answer sent(String attempt) {
    return new Answer.Sent(0, attempt, Map.of(Distance.SAME_RACK, 200L, Distance.OFF_RACK, 100L));
  }

  /** Sends the units in a container, which does what it is told. */
  private SentUnits sendInContainer(FakeJob job, CompletableFuture<SentUnits> sending)
      throws Exception {
    job.answers.add(sent(FIRST));
    job.whenTold =
        what -> {
          if (what.contains("finish")) {
            int unit = Integer.parseInt(what.substring(what.lastIndexOf(' ') + 1));
            job.answers.add(new Answer.Finished(0, FIRST, unit));
            dispatcher.turn();
          }
        };
    turnUntil(sending::isDone);
    return end(sending);
  }

  @Test
  void aContainerRebuildsAndMakesFinalWhatItIsTold() throws Exception {
    CompletableFuture<SentUnits> sending = send();
    FakeJob job = awaitJob();
    RepairWork work = (RepairWork) job.work.get(0);
    assertThat(work.sources()).hasSize(3);
    assertThat(work.targets())
        .extracting(RepairWork.Target::node)
        .containsExactly(node(11), node(14));

    try (SentUnits sent = sendInContainer(job, sending)) {
      assertThat(sent.application()).hasValue(job.application());
      assertThat(job.told).as("told before the daemon has looked again").isEmpty();
      sent.finish(delivery(1));
      sent.finish(delivery(4));
    }

    assertThat(job.told).containsExactly("0 " + FIRST + ": finish 1", "0 " + FIRST + ": finish 4");
    assertThat(bytesRead).hasValue(300);
    assertThat(here).isFalse();
    assertThat(dispatcher.jobs())
        .singleElement()
        .returns(1, JobReport::answered)
        .returns(Map.of(Distance.SAME_RACK, 200L, Distance.OFF_RACK, 100L), JobReport::read);
  }

  @Test
  void whatTheDaemonDoesNotWantIsDropped() throws Exception {
    CompletableFuture<SentUnits> sending = send();
    FakeJob job = awaitJob();
    try (SentUnits sent = sendInContainer(job, sending)) {
      sent.finish(delivery(1));
    }

    assertThat(job.told).containsExactly("0 " + FIRST + ": finish 1", "0 " + FIRST + ": drop");
  }

  @Test
  void aTaskThatWasBegunBesideTheFirstIsToldNothingAndNotHeard() throws Exception {
    CompletableFuture<SentUnits> sending = send();
    FakeJob job = awaitJob();
    SentUnits sent = sendInContainer(job, sending);
    job.answers.add(sent(SECOND));
    job.answers.add(new Answer.Finished(0, SECOND, 1));
    job.answers.add(new Answer.Finished(0, SECOND, 4));
    job.answers.add(new Answer.Failed(0, 0, SECOND, "killed"));
    dispatcher.turn();

    sent.finish(delivery(4));

    assertThat(job.told).containsExactly("0 " + FIRST + ": finish 4");
    assertThat(dispatcher.jobs()).singleElement().returns(0, JobReport::answered);
  }

  @Test
  void whatAContainerCannotRebuildTheDaemonDoes() throws Exception {
    CompletableFuture<SentUnits> sending = send();
    FakeJob job = awaitJob();
    job.answers.add(new Answer.Failed(0, 0, FIRST, "host: no replica can be read"));
    turnUntil(sending::isDone);

    end(sending).finish(delivery(1));

    assertThat(here).isTrue();
    assertThat(job.told).isEmpty();
  }

  @Test
  void aTargetThatFailsAtTheLastPacketFailsTheDelivery() throws Exception {
    CompletableFuture<SentUnits> sending = send();
    FakeJob job = awaitJob();
    SentUnits sent = sendInContainer(job, sending);
    job.whenTold =
        what -> {
          job.answers.add(new Answer.Failed(0, 0, FIRST, "host: broken pipe"));
          dispatcher.turn();
        };

    assertThatThrownBy(() -> sent.finish(delivery(1)))
        .isInstanceOfSatisfying(
            TargetFailedException.class,
            failure -> assertThat(failure.target()).isEqualTo(node(11)))
        .hasMessageContaining("broken pipe");
  }

  /** It may have made the unit final, and nobody avoids a target that did nothing wrong. */
  @Test
  void whatBecameOfASilentContainerTheNameNodeKnows() throws Exception {
    ContainerRepairEngine impatient =
        new ContainerRepairEngine(
            dispatcher, local, order -> known, waiting, Duration.ofMillis(20));
    CompletableFuture<SentUnits> sending =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return impatient.send(ORDER, bytes -> {});
              } catch (IOException e) {
                throw new CompletionException(e);
              }
            });
    FakeJob job = awaitJob();
    try (SentUnits sent = sendInContainer(job, sending)) {
      job.whenTold = what -> {};

      sent.finish(delivery(1));
    }

    assertThat(job.told).containsExactly("0 " + FIRST + ": finish 1", "0 " + FIRST + ": drop");
  }

  @Test
  void whatBecameOfAContainerThatWasKilledTheNameNodeKnows() throws Exception {
    CompletableFuture<SentUnits> sending = send();
    FakeJob job = awaitJob();
    SentUnits sent = sendInContainer(job, sending);
    job.whenTold =
        what -> {
          job.stage(Stage.ENDED, "killed by user");
          dispatcher.turn();
        };

    sent.finish(delivery(1));

    assertThat(job.told).containsExactly("0 " + FIRST + ": finish 1");
  }

  @Test
  void aStripeThatLosesMoreDoesNotWaitAnyLonger() {
    CompletableFuture<SentUnits> sending = send();
    FakeJob job = awaitJob();
    assertThat(waiting).hasValue(1);
    known = UnitSet.of(0, 1, 4);

    turnUntil(sending::isDone);

    assertThatThrownBy(() -> end(sending)).hasCauseInstanceOf(FurtherLossException.class);
    assertThat(waiting).hasValue(0);
    assertThat(here).isFalse();
    dispatcher.turn();
    assertThat(job.killed).as("killed, for nobody waits for it").isTrue();
  }

  @Test
  void whatIsInNoJobWhenContainersAreNotWantedAnyMoreTheDaemonRebuilds() throws Exception {
    jobs.gather = Duration.ofMinutes(1);
    CompletableFuture<SentUnits> sending = send();
    turnUntil(() -> dispatcher.gathered() == 1);
    wanted.set(false);
    turnUntil(sending::isDone);

    assertThat(end(sending)).isNotNull();
    assertThat(here).isTrue();
    assertThat(jobs.submitted).isEmpty();
  }

  @Test
  void whatTasksSayIsHeardWithoutAskingYarn() throws Exception {
    CompletableFuture<SentUnits> sending = send();
    FakeJob job = awaitJob();
    job.trouble = Optional.of(new IOException("connection refused"));
    job.answers.add(sent(FIRST));
    dispatcher.hear();

    assertThat(end(sending)).isNotNull();
    assertThat(here).isFalse();
  }

  @Test
  void aTaskWhoseNameIsNoNameIsNotBelieved() throws Exception {
    CompletableFuture<SentUnits> sending = send();
    FakeJob job = awaitJob();
    job.answers.add(sent("../../other"));
    job.answers.add(sent(""));
    dispatcher.turn();
    assertThat(sending).isNotDone();

    sendInContainer(job, sending).finish(delivery(1));

    assertThat(job.told).containsExactly("0 " + FIRST + ": finish 1");
  }

  @Test
  void whereYarnTakesNoJobTheDaemonRebuilds() throws Exception {
    jobs.refusal = Optional.of(new IOException("queue full"));
    CompletableFuture<SentUnits> sending = send();
    turnUntil(sending::isDone);

    assertThat(here).isTrue();
    here.set(false);
    assertThat(end(send())).isNotNull();
    assertThat(here).as("rebuilt here without a wait, for YARN has refused").isTrue();
  }

  @Test
  void withoutContainersTheDaemonRebuilds() throws Exception {
    wanted.set(false);

    assertThat(end(send())).isNotNull();

    assertThat(here).isTrue();
    assertThat(jobs.submitted).isEmpty();
  }

  @Test
  void whenTheDaemonStopsRepairsEnd() {
    CompletableFuture<SentUnits> sending = send();
    FakeJob job = awaitJob();

    dispatcher.stop();

    assertThatThrownBy(() -> end(sending)).hasCauseInstanceOf(InterruptedIOException.class);
    assertThat(here).isFalse();
    assertThat(job.killed).isTrue();
  }
}
