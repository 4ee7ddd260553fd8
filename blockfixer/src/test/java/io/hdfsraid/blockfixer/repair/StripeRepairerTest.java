// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.blockfixer.repair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.hdfsraid.blockfixer.RaidedStripe;
import io.hdfsraid.blockfixer.detect.StripeHealth.State;
import io.hdfsraid.blockfixer.plan.PlannedDelivery;
import io.hdfsraid.blockfixer.plan.RepairImpossible;
import io.hdfsraid.blockfixer.plan.RepairPlan;
import io.hdfsraid.blockfixer.repair.RepairOutcome.Postponed;
import io.hdfsraid.blockfixer.repair.RepairOutcome.Reason;
import io.hdfsraid.blockfixer.repair.RepairOutcome.Repaired;
import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import io.hdfsraid.erasurecode.UnitSet;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StripeRepairerTest {
  private static final ExecutorService EXECUTOR = Executors.newFixedThreadPool(4);

  @AfterAll
  static void stop() {
    EXECUTOR.shutdownNow();
  }

  private static Repairs repairs(String codec) throws IOException {
    return new Repairs(new RaidedStripe(codec), EXECUTOR);
  }

  @ParameterizedTest
  @CsvSource({
    "rs-3-2, 0",
    "rs-3-2, 2",
    "rs-6-3, 0",
    "rs-6-3, 2",
    "crs-good-3-2, 0",
    "less-6-3, 1",
    "hitchhiker-6-3, 1"
  })
  void everyMixOfLossesTheCodeBearsIsRepairedToIdenticalBytes(String codec, int absent)
      throws IOException {
    UnitSet present = new RaidedStripe(codec, 14, absent).present();
    int bears = new RaidedStripe(codec).codec.shape().parityUnits();
    for (UnitSet lost : RaidedStripe.subsets(present, bears)) {
      Repairs repairs = new Repairs(new RaidedStripe(codec, 14, absent), EXECUTOR);
      repairs.file.lose(lost);
      RepairPlan plan = repairs.file.plan(repairs.file.health());

      RepairOutcome outcome = repairs.repair(plan);

      assertThat(outcome).as("lost %s", lost).isInstanceOf(Repaired.class);
      Repaired repaired = (Repaired) outcome;
      assertThat(repaired.units()).isEqualTo(lost);
      assertThat(repaired.bytesRead()).as("lost %s", lost).isEqualTo(plan.bytesToRead());
      assertThat(repaired.bytesWritten()).isEqualTo(plan.bytesToWrite());
      repairs.file.assertWhole();
      assertThat(repairs.file.nodes()).as("lost %s", lost).doesNotHaveDuplicates();
      assertThat(repairs.file.health().state()).isEqualTo(State.HEALTHY);
      assertThat(repairs.deliveries.open()).isZero();
    }
  }

  @Test
  void oneLossTooManyWritesNothing() throws IOException {
    Repairs repairs = repairs("rs-3-2");
    repairs.file.lose(UnitSet.of(0, 3, 4));

    assertThat(repairs.file.planner.plan(repairs.file.health()))
        .isInstanceOfSatisfying(
            RepairImpossible.class,
            unrecoverable ->
                assertThat(unrecoverable.message()).contains("lost 3 of 5 units, {0, 3, 4}"));
  }

  @Test
  void stepsComeInOrderAndTheFenceIsTheLastThingBeforeEachDelivery() throws IOException {
    Repairs repairs = repairs("rs-6-3");
    repairs.file.lose(1);
    repairs.file.dataNodes.vanish(repairs.file.replica(7));

    assertThat(repairs.repair()).isInstanceOf(Repaired.class);

    assertThat(repairs.events)
        .containsExactly(
            "PLANNED",
            "REBUILT",
            "notice",
            "fence",
            "report",
            "REPORTED",
            "fence",
            "DELIVERED",
            "fence",
            "DELIVERED",
            "CONFIRMED");
    assertThat(repairs.events)
        .containsSubsequence(Arrays.stream(RepairStep.values()).map(Enum::name).toList());
  }

  @Test
  void aHelperThatDiesMidwayIsReplacedAndLeftAlone() throws IOException {
    Repairs repairs = repairs("rs-6-3");
    repairs.file.lose(0);
    RepairPlan plan = repairs.file.plan(repairs.file.health());
    int helper = plan.recipe().helpers().toArray()[2];
    DataNode dying = repairs.file.replica(helper).node();
    repairs.file.dataNodes.cutOffAfterReads(dying, 1);

    RepairOutcome outcome = repairs.repair(plan);

    assertThat(outcome).isInstanceOf(Repaired.class);
    assertThat(((Repaired) outcome).units()).isEqualTo(UnitSet.of(0));
    assertThat(outcome.message()).contains("whole again");
    assertThat(((Repaired) outcome).bytesRead()).isGreaterThan(plan.bytesToRead());
    assertThat(repairs.reported).isEmpty();
    repairs.file.assertWhole();
    assertThat(repairs.deliveries.open()).isZero();
  }

  @Test
  @Timeout(60)
  void aHelperThatHangsIsReplacedWithinABoundedTimeAndLeftAlone() throws IOException {
    Repairs repairs = repairs("rs-6-3");
    repairs.file.lose(0);
    RepairPlan plan = repairs.file.plan(repairs.file.health());
    int helper = plan.recipe().helpers().toArray()[3];
    DataNode hanging = repairs.file.replica(helper).node();
    repairs.file.cluster.slow(hanging);

    try (StallLimit stalls = new StallLimit(Duration.ofMillis(500))) {
      repairs.dataNodes = stalls.reads(repairs.dataNodes);
      RepairOutcome outcome = repairs.repair(plan);

      assertThat(outcome).isInstanceOf(Repaired.class);
    } finally {
      repairs.file.cluster.release(hanging);
    }
    assertThat(repairs.reported).as("a node that hangs proves nothing").isEmpty();
    repairs.file.assertWhole();
    assertThat(repairs.file.cluster.openInputs()).isZero();
  }

  @Test
  @Timeout(60)
  void aTargetThatHangsIsReplacedWithinABoundedTime() throws IOException {
    Repairs repairs = repairs("rs-6-3");
    repairs.file.lose(0);
    repairs.deliveries.hangWriting = 1;

    try (StallLimit stalls = new StallLimit(Duration.ofMillis(500))) {
      repairs.delivery = stalls.deliveries(repairs.deliveries);
      RepairOutcome outcome = repairs.repair();

      assertThat(outcome).isInstanceOf(Repaired.class);
      assertThat(((Repaired) outcome).delivered().get(0).target())
          .isNotEqualTo(repairs.deliveries.opened.get(0));
    }
    repairs.file.assertWhole();
    assertThat(repairs.deliveries.open()).isZero();
  }

  @Test
  void aHelperThatTurnsOutToBeRottenIsReportedAndRepairedInTheSamePass() throws IOException {
    Repairs repairs = repairs("rs-6-3");
    repairs.file.lose(0);
    RepairPlan plan = repairs.file.plan(repairs.file.health());
    int rotten = plan.recipe().helpers().toArray()[1];
    Replica bad = repairs.file.replica(rotten);
    repairs.file.cluster.corrupt(repairs.file.block(rotten).id(), bad.node());

    RepairOutcome outcome = repairs.repair(plan);

    assertThat(((Repaired) outcome).units()).isEqualTo(UnitSet.of(0, rotten));
    assertThat(repairs.reported).containsExactly(bad);
    repairs.file.assertWhole();
  }

  /** More of them than a repair has attempts. */
  @Test
  void asManyRottenHelpersAsTheCodeBearsAreFoundOneAfterAnotherAndRepaired() throws IOException {
    Repairs repairs = repairs("rs-10-4");
    repairs.file.lose(0);
    UnitSet rotten = UnitSet.of(1, 2, 3);
    for (int unit : rotten.toArray()) {
      repairs.file.cluster.corrupt(
          repairs.file.block(unit).id(), repairs.file.replica(unit).node());
    }

    RepairOutcome outcome = repairs.repair();

    assertThat(outcome).as(outcome.message()).isInstanceOf(Repaired.class);
    assertThat(((Repaired) outcome).units()).isEqualTo(rotten.with(0));
    repairs.file.assertWhole();
  }

  @Test
  void helpersThatKeepFailingEndInUnrecoverable() throws IOException {
    Repairs repairs = repairs("rs-3-2");
    repairs.file.lose(0);
    RepairPlan plan = repairs.file.plan(repairs.file.health());
    repairs.file.dataNodes.cutOff(repairs.file.replica(1).node());
    repairs.file.dataNodes.cutOff(repairs.file.replica(2).node());

    RepairOutcome outcome = repairs.repair(plan);

    assertThat(outcome).isInstanceOf(RepairOutcome.Unrecoverable.class);
    assertThat(outcome.message())
        .contains("lost 3 of 5 units")
        .contains("nodes of units {1, 2} do not answer");
    assertThat(repairs.deliveries.finished).isEmpty();
    assertThat(repairs.deliveries.open()).isZero();
  }

  @Test
  void bytesThatAreNotTheRecordedOnesAreNeverFinished() throws IOException {
    Repairs repairs = repairs("rs-6-3");
    repairs.file.lose(UnitSet.of(2, 7, 8));
    RepairPlan plan = repairs.file.plan(repairs.file.wordOfTheNameNode());
    repairs.file.replaceContent(plan.recipe().helpers().toArray()[0]);

    RepairOutcome outcome = repairs.repair(plan);

    assertThat(outcome).isInstanceOf(RepairOutcome.Unrecoverable.class);
    assertThat(outcome.message()).contains("lost 4 of 9 units");
    assertThat(repairs.events).containsExactly("PLANNED");
    assertThat(repairs.deliveries.finished).isEmpty();
    assertThat(repairs.deliveries.open()).isZero();
    assertThat(repairs.file.wordOfTheNameNode().lost()).isEqualTo(UnitSet.of(2, 7, 8));
  }

  @Test
  void aReadThatLeavesRubbishBehindAndTimesOutSpoilsNothing() throws IOException {
    Repairs repairs = repairs("rs-6-3");
    repairs.file.lose(UnitSet.of(0, 7));
    RepairPlan plan = repairs.file.plan(repairs.file.health());
    repairs.file.dataNodes.scribbleAndTimeOut(
        repairs.file.replica(plan.recipe().helpers().toArray()[4]));

    RepairOutcome outcome = repairs.repair(plan);

    assertThat(outcome).as(outcome.message()).isInstanceOf(Repaired.class);
    assertThat(repairs.reported).isEmpty();
    repairs.file.assertWhole();
  }

  @Test
  void aFileThatIsUnraidedWhileItIsRepairedGetsItsBlockAndItsReplicas() throws IOException {
    Repairs repairs = repairs("rs-6-3");
    repairs.file.lose(1);
    long inode = repairs.file.cluster.file(RaidedStripe.PATH).orElseThrow().inode();
    repairs.reaction =
        step -> {
          if (step == RepairStep.REBUILT) {
            repairs.file.cluster.setReplication(inode, 3);
          }
        };

    RepairOutcome outcome = repairs.repair();

    assertThat(outcome).as(outcome.message()).isInstanceOf(Repaired.class);
    repairs.file.cluster.replicate();
    assertThat(repairs.file.cluster.file(RaidedStripe.PATH).orElseThrow().blocks())
        .allSatisfy(block -> assertThat(block.live()).hasSize(3));
  }

  /** Bytes that change on their way, or in our memory. */
  @Test
  void whenNoHelperIsWrongTheStripeIsRebuiltOnceMoreAndNothingWrongIsFinished() throws IOException {
    Repairs repairs = repairs("rs-6-3");
    repairs.file.lose(2);
    RepairPlan plan = repairs.file.plan(repairs.file.wordOfTheNameNode());
    Replica lying = repairs.file.replica(plan.recipe().helpers().toArray()[0]);
    repairs.file.dataNodes.lieOnce(lying);

    RepairOutcome outcome = repairs.repair(plan);

    assertThat(outcome).as(outcome.message()).isInstanceOf(Repaired.class);
    assertThat(repairs.events)
        .startsWith("PLANNED", "PLANNED", "REBUILT")
        .containsOnlyOnce("DELIVERED");
    repairs.file.assertWhole();
  }

  @ParameterizedTest
  @ValueSource(strings = {"rs-6-3", "lrc-xorbas-10-6", "less-6-3"})
  void aHelperThatIsSilentlyWrongIsFoundByItsCrcAndOthersAreUsed(String codec) throws IOException {
    Repairs repairs = repairs(codec);
    repairs.file.lose(2);
    RepairPlan plan = repairs.file.plan(repairs.file.wordOfTheNameNode());
    int wrong = plan.recipe().helpers().toArray()[1];
    DataNode where = repairs.file.replica(wrong).node();
    repairs.file.replaceContent(wrong);

    RepairOutcome outcome = repairs.repair(plan);

    assertThat(outcome).as(outcome.message()).isInstanceOf(Repaired.class);
    assertThat(((Repaired) outcome).units()).isEqualTo(UnitSet.of(2, wrong));
    assertThat(repairs.reported).extracting(Replica::node).containsExactly(where);
    assertThat(repairs.events).as("only vanished replicas are waited for").doesNotContain("notice");
    repairs.file.assertWhole();
    assertThat(repairs.deliveries.open()).isZero();
  }

  @Test
  void anotherTargetIsTakenWhenOneFails() throws IOException {
    for (int how = 0; how < 3; how++) {
      Repairs repairs = repairs("rs-3-2");
      repairs.file.lose(3);
      repairs.deliveries.failOpening = how == 0 ? 2 : 0;
      repairs.deliveries.failWriting = how == 1 ? 2 : 0;
      repairs.deliveries.failFinishing = how == 2 ? 2 : 0;

      assertThat(repairs.repair()).as("failure %d", how).isInstanceOf(Repaired.class);

      assertThat(repairs.deliveries.opened).hasSize(3).doesNotHaveDuplicates();
      repairs.file.assertWhole();
    }
  }

  @Test
  void targetsThatKeepFailingAreNotTriedForEver() throws IOException {
    Repairs repairs = repairs("rs-3-2");
    repairs.file.lose(3);
    repairs.deliveries.failWriting = 100;

    assertPostponed(repairs.repair(), Reason.NODES_FAILED, "after 3 attempts");
    assertThat(repairs.deliveries.opened).hasSize(3);
    assertThat(repairs.deliveries.open()).isZero();
  }

  @Test
  void aTargetThatFailsAfterAnotherWasFinishedLeavesTheRestForLater() throws IOException {
    Repairs repairs = repairs("rs-3-2");
    repairs.file.lose(UnitSet.of(1, 3));
    repairs.reaction =
        step -> {
          if (step == RepairStep.DELIVERED) {
            repairs.file.cluster.kill(repairs.deliveries.opened.get(1));
          }
        };

    assertPostponed(
        repairs.repair(), Reason.NODES_FAILED, "1 of 2 units of", "were delivered before");
    assertThat(repairs.file.health().lost()).isEqualTo(UnitSet.of(3));
  }

  @Test
  void aDeposedDaemonDeliversNothing() throws IOException {
    Repairs repairs = repairs("rs-3-2");
    repairs.file.lose(UnitSet.of(1, 3));
    repairs.fence =
        () -> {
          throw new IOException("deposed");
        };

    assertThatIOException().isThrownBy(repairs::repair).withMessage("deposed");

    assertThat(repairs.deliveries.finished).isEmpty();
    assertThat(repairs.deliveries.open()).isZero();
    assertThat(repairs.claims.claim(repairs.file.stripe())).as("claim is given back").isPresent();
  }

  @Test
  void changedUnitsAreNeitherReadNorDelivered() throws IOException {
    Repairs repairs = repairs("rs-3-2");
    repairs.file.cluster.truncate(RaidedStripe.PATH, 2500);
    DataNode changed = repairs.file.cluster.node(2);
    repairs.file.lose(0);
    repairs.file.cluster.resetCounts();

    RepairOutcome outcome = repairs.repair();

    assertThat(((Repaired) outcome).units()).isEqualTo(UnitSet.of(0));
    assertThat(repairs.file.cluster.bytesRead(changed)).isZero();
    assertThat(repairs.file.health().lost()).isEqualTo(UnitSet.none());
  }

  @Test
  void aBlockThatChangesWhileItIsRebuiltIsNotDelivered() throws IOException {
    Repairs repairs = repairs("rs-3-2");
    repairs.file.lose(2);
    repairs.reaction =
        step -> {
          if (step == RepairStep.REBUILT) {
            repairs.file.cluster.truncate(RaidedStripe.PATH, 2500);
          }
        };

    assertPostponed(repairs.repair(), Reason.CHANGED, "nothing is delivered for it");
    assertThat(repairs.deliveries.finished).isEmpty();
  }

  @Test
  void aFileThatIsDeletedWhileItIsRepairedGetsNothing() throws IOException {
    Repairs repairs = repairs("rs-3-2");
    repairs.file.lose(2);
    repairs.reaction =
        step -> {
          if (step == RepairStep.REBUILT) {
            repairs.file.cluster.delete(RaidedStripe.PATH);
          }
        };

    assertPostponed(repairs.repair(), Reason.CHANGED, "nothing is delivered for it");
    assertThat(repairs.deliveries.finished).isEmpty();
  }

  @Test
  void nothingIsReportedAsBadBeforeItsReplacementIsProven() throws IOException {
    Repairs repairs = new Repairs(new RaidedStripe("rs-6-3", 14, 0, UnitSet.of(6, 7, 8)), EXECUTOR);
    repairs.file.replaceContent(5);

    assertPostponed(repairs.repair(), Reason.WRONG_CONTENT, "was recorded when it was encoded");
    assertThat(repairs.reported).isEmpty();
  }

  @Test
  void aReplicaOfWhichItsNodeTellsTheNameNodeItselfIsNotReported() throws IOException {
    Repairs repairs = repairs("rs-6-3");
    Replica gone = repairs.file.replica(5);
    repairs.file.dataNodes.vanish(gone);
    RepairPlan plan = repairs.file.plan(repairs.file.health());
    long block = repairs.file.block(5).id();
    repairs.waiting = () -> repairs.file.cluster.deleteReplica(block, gone.node());

    assertThat(repairs.repair(plan)).isInstanceOf(Repaired.class);

    assertThat(repairs.reported).isEmpty();
    repairs.file.assertWhole();
  }

  @Test
  void aReplicaThatIsBackBeforeItIsReportedIsLeftAloneAndTheOthersAreDelivered()
      throws IOException {
    Repairs repairs = repairs("rs-6-3");
    DataNode restarting = repairs.file.replica(5).node();
    repairs.file.dataNodes.hangUp(restarting, 2);
    repairs.file.lose(1);
    RepairPlan plan = repairs.file.plan(repairs.file.health());
    assertThat(plan.lost()).isEqualTo(UnitSet.of(1, 5));

    assertPostponed(repairs.repair(plan), Reason.CHANGED, "Units {5}", "turned out to be good");

    assertThat(repairs.reported).isEmpty();
    assertThat(repairs.deliveries.finished).containsExactly(repairs.file.block(1));
    assertThat(repairs.deliveries.open()).isZero();
    assertThat(repairs.file.replica(5).node()).isEqualTo(restarting);
    repairs.file.assertWhole();
  }

  @Test
  void aNodeThatOnlyHangsUpIsNotReportedAndItsReplicaLivesOn() throws IOException {
    Repairs repairs = repairs("rs-6-3");
    DataNode silent = repairs.file.replica(5).node();
    repairs.file.dataNodes.hangUp(silent, 1000);

    // The NameNode trusts both, and here it takes the new one for the one too many.
    assertPostponed(repairs.repair(), Reason.NOT_CONFIRMED, "does not list it");

    assertThat(repairs.reported).isEmpty();
    assertThat(repairs.deliveries.finished).containsExactly(repairs.file.block(5));
    assertThat(repairs.file.replica(5).node()).isEqualTo(silent);
    repairs.file.assertWhole();
  }

  @Test
  void aReplicaWhoseNodeFallsSilentBeforeItCouldBeReportedIsNamedAsUnproven() throws IOException {
    Repairs repairs = repairs("rs-6-3");
    DataNode silent = repairs.file.replica(5).node();
    repairs.file.replaceContent(5);
    repairs.file.replaceContent(8);
    repairs.file.cluster.keepExcess(true);
    RepairPlan plan = repairs.file.plan(repairs.file.health());
    repairs.file.dataNodes.cutOff(silent);

    RepairOutcome outcome = repairs.repair(plan);

    assertThat(outcome).as(outcome.message()).isInstanceOf(Repaired.class);
    assertThat(((Repaired) outcome).units()).isEqualTo(UnitSet.of(5, 8));
    assertThat(((Repaired) outcome).unproven()).as("8 was reported").isEqualTo(UnitSet.of(5));
    assertThat(repairs.file.located(5).live()).as("the NameNode counts both").hasSize(2);
  }

  @Test
  void aHelperThatHangsUpMidwayIsReplacedAndLeftAlone() throws IOException {
    Repairs repairs = repairs("rs-6-3");
    repairs.file.lose(0);
    RepairPlan plan = repairs.file.plan(repairs.file.health());
    int helper = plan.recipe().helpers().toArray()[2];
    repairs.file.dataNodes.hangUp(repairs.file.replica(helper).node(), 1000);

    RepairOutcome outcome = repairs.repair(plan);

    assertThat(((Repaired) outcome).units()).isEqualTo(UnitSet.of(0));
    assertThat(repairs.reported).isEmpty();
    repairs.file.assertWhole();
  }

  @Test
  void otherContentIsNotReportedWhenTheRecordedBytesAreBack() throws IOException {
    Repairs repairs = repairs("rs-6-3");
    byte[] recorded = repairs.file.content(5);
    Replica replica = repairs.file.replica(5);
    repairs.file.replaceContent(5);
    RepairPlan plan = repairs.file.plan(repairs.file.health());
    repairs.file.cluster.deleteReplica(repairs.file.block(5).id(), replica.node());
    repairs.file.cluster.deliver(repairs.file.block(5), replica.node(), recorded);

    assertPostponed(repairs.repair(plan), Reason.CHANGED, "turned out to be good");
    assertThat(repairs.reported).isEmpty();
    assertThat(repairs.deliveries.finished).isEmpty();
  }

  @Test
  void nothingIsDeliveredWhileTheNameNodeTrustsTheBadReplica() throws IOException {
    Repairs repairs = repairs("rs-6-3");
    repairs.file.dataNodes.vanish(repairs.file.replica(5));
    repairs.reports = (block, replica) -> repairs.reported.add(replica);

    assertPostponed(repairs.repair(), Reason.NOT_REPORTED, "still considers");
    assertThat(repairs.reported).hasSize(1);
    assertThat(repairs.events)
        .containsExactly("PLANNED", "REBUILT", "notice", "fence", "wait", "wait");
    assertThat(repairs.deliveries.finished).isEmpty();
  }

  /** DataNodes of HDFS 3.3 do not tell that a replica has vanished. */
  @Test
  void vanishedReplicasOfWhichNoNodeTellsAreReportedAfterOneWait() throws IOException {
    Repairs repairs = repairs("rs-6-3");
    for (int unit = 4; unit < 7; unit++) {
      repairs.file.dataNodes.vanish(repairs.file.replica(unit));
    }

    assertThat(repairs.repair()).isInstanceOf(Repaired.class);

    assertThat(repairs.reported).hasSize(3);
    assertThat(repairs.events.stream().filter("notice"::equals)).hasSize(1);
    repairs.file.assertWhole();
  }

  @Test
  void aDataNodesAcknowledgementIsNotBelieved() throws IOException {
    Repairs repairs = repairs("rs-3-2");
    repairs.file.lose(1);
    repairs.deliveries.swallow = true;

    assertPostponed(repairs.repair(), Reason.NOT_CONFIRMED, "does not list it there yet");
    assertThat(repairs.deliveries.finished).hasSize(1);
  }

  @Test
  void aDeliveredReplicaThatTheNameNodeTakesForCorruptIsNotConfirmed() throws IOException {
    Repairs repairs = repairs("rs-3-2");
    repairs.file.lose(1);
    repairs.reaction =
        step -> {
          if (step == RepairStep.DELIVERED) {
            repairs.file.cluster.report(
                repairs.file.block(1).id(), repairs.deliveries.opened.get(0));
          }
        };

    assertPostponed(
        repairs.repair(), Reason.NOT_CONFIRMED, "corrupt: its length or generation stamp");
  }

  @Test
  void aDeliveredReplicaThatHoldsOtherBytesIsReportedAndNotConfirmed() throws IOException {
    Repairs repairs = repairs("rs-3-2");
    repairs.file.lose(1);
    repairs.deliveries.falsify = true;

    assertPostponed(repairs.repair(), Reason.WRONG_CONTENT, "holds other bytes");
    assertThat(repairs.reported).extracting(Replica::node).isEqualTo(repairs.deliveries.opened);
    assertThat(repairs.events).endsWith("DELIVERED", "fence", "report");
  }

  /** As while a group hands over to its successor. */
  @Test
  void aBlockThatIsLostInTwoStripesIsRebuiltByOneTask() throws IOException {
    Repairs repairs = repairs("rs-3-2");
    repairs.file.lose(0);
    LocatedStripe stripe = repairs.file.stripe();
    LocatedStripe successor =
        new LocatedStripe(
            stripe.parityInode() + 1,
            0,
            stripe.codec(),
            stripe.layout(),
            stripe.stripeLength(),
            stripe.units());

    try (StripeClaims.Claim claim = repairs.claims.claim(successor).orElseThrow()) {
      assertThat(claim).isNotNull();
      assertPostponed(repairs.repair(), Reason.IN_WORK, "Another task");
      assertThat(repairs.deliveries.opened).isEmpty();
    }
    assertThat(repairs.repair()).isInstanceOf(Repaired.class);
    repairs.file.assertWhole();
  }

  @Test
  void aStripeInWorkIsLeftToWhoeverHasIt() throws IOException {
    Repairs repairs = repairs("rs-3-2");
    repairs.file.lose(1);
    StripeClaims.Claim other = repairs.claims.claim(repairs.file.stripe()).orElseThrow();

    assertPostponed(repairs.repair(), Reason.IN_WORK, "Another task");
    assertThat(repairs.deliveries.opened).isEmpty();

    other.close();
    assertThat(repairs.repair()).isInstanceOf(Repaired.class);
  }

  /** A report cannot be taken back, and the NameNode has nothing else of that block. */
  @Test
  void aBadReplicaIsNotReportedWhereNothingReplacesIt() throws IOException {
    Repairs repairs = repairs("lrc-azure-4-2-2");
    RaidedStripe file = repairs.file;
    file.lose(UnitSet.of(0, 3, 5, 6, 7)); // 1 and the sum of both give 0; 2 gives nothing for 3
    file.replaceContent(2);

    RepairOutcome outcome = repairs.repair();

    assertThat(((Repaired) outcome).units()).isEqualTo(UnitSet.of(0));
    assertThat(file.located(2).corrupt()).isEmpty();
    assertThat(file.located(2).live()).hasSize(1);
  }

  @Test
  void aCrowdedPlaceIsTakenRatherThanNone() throws IOException {
    RaidedStripe file = new RaidedStripe("rs-3-2", 5, 0);
    Repairs repairs = new Repairs(file, EXECUTOR);
    file.cluster.kill(file.cluster.node(1));

    RepairOutcome outcome = repairs.repair();

    assertThat(((Repaired) outcome).crowded()).isTrue();
    file.assertWhole();
  }

  @Test
  void whatRepairsCostIsCountedByLosses() throws IOException {
    RepairTally tally = new RepairTally();
    for (UnitSet lost : List.of(UnitSet.of(1), UnitSet.of(0, 4), UnitSet.of(2))) {
      Repairs repairs = repairs("rs-3-2");
      repairs.file.lose(lost);
      tally.add((Repaired) repairs.repair());
    }

    assertThat(tally.byLosses())
        .containsEntry(1, new RepairTally.Cost(2, 6000))
        .containsEntry(2, new RepairTally.Cost(1, 3000))
        .hasSize(2);
  }

  @Test
  void targetsAreNeverWhereABadReplicaLies() throws IOException {
    Repairs repairs = repairs("rs-6-3");
    UnitSet bad = UnitSet.of(0, 5, 8);
    repairs.file.dataNodes.vanish(repairs.file.replica(0));
    repairs.file.replaceContent(5);
    repairs.file.cluster.report(repairs.file.block(8).id(), repairs.file.cluster.node(8));

    RepairPlan plan = repairs.file.plan(repairs.file.health());

    assertThat(plan.lost()).isEqualTo(bad);
    for (PlannedDelivery delivery : plan.deliveries()) {
      assertThat(delivery.target()).isNotIn(Set.of(repairs.file.cluster.node(delivery.unit())));
    }
    assertThat(repairs.repair(plan)).isInstanceOf(Repaired.class);
    assertThat(repairs.file.health().state()).isEqualTo(State.HEALTHY);
  }

  private static void assertPostponed(RepairOutcome outcome, Reason reason, String... words) {
    assertThat(outcome)
        .as(outcome.message())
        .isInstanceOfSatisfying(
            Postponed.class,
            postponed -> {
              assertThat(postponed.reason()).isEqualTo(reason);
              assertThat(postponed.message()).contains(words);
            });
  }

  /** Each unit holds what was recorded, and yet the parity decodes to other data. */
  @ParameterizedTest
  @CsvSource({"6, -1", "7, -1", "8, -1", "6, 7", "7, 8", "6, 8"})
  void dataIsRebuiltWithoutParityThatWasWrongWhenItWasEncoded(int one, int another)
      throws IOException {
    UnitSet wrong = another < 0 ? UnitSet.of(one) : UnitSet.of(one, another);
    Repairs repairs = new Repairs(new RaidedStripe("rs-6-3", 14, 0, wrong), EXECUTOR);
    repairs.file.lose(1);

    RepairOutcome outcome = repairs.repair();

    if (outcome instanceof Repaired repaired) {
      assertThat(repaired.units()).as("by parity that is right").isEqualTo(UnitSet.of(1));
    } else {
      assertThat(outcome).isInstanceOf(RepairOutcome.WrongParity.class);
      RepairOutcome.WrongParity found = (RepairOutcome.WrongParity) outcome;
      assertThat(found.repaired().units()).isEqualTo(UnitSet.of(1));
      assertThat(wrong.containsAll(found.parity())).as("%s", found.parity()).isTrue();
    }
    repairs.file.assertWhole();
    assertThat(repairs.deliveries.open()).isZero();
  }

  @Test
  void lostParityThatWasWrongCannotBeRebuiltAndThatIsSaid() throws IOException {
    Repairs repairs = new Repairs(new RaidedStripe("rs-6-3", 14, 0, UnitSet.of(7)), EXECUTOR);
    repairs.file.lose(7);

    RepairOutcome outcome = repairs.repair();

    assertThat(outcome)
        .isInstanceOfSatisfying(
            RepairOutcome.WrongParity.class,
            found -> assertThat(found.parity()).isEqualTo(UnitSet.of(7)));
    assertThat(repairs.deliveries.finished).isEmpty();
  }

  @Test
  void whenNoParityFitsNothingIsDelivered() throws IOException {
    Repairs repairs = new Repairs(new RaidedStripe("rs-6-3", 14, 0, UnitSet.of(6, 7, 8)), EXECUTOR);
    repairs.file.lose(1);

    RepairOutcome outcome = repairs.repair();

    assertThat(outcome)
        .isInstanceOfSatisfying(
            RepairOutcome.Postponed.class,
            postponed ->
                assertThat(postponed.reason()).isEqualTo(RepairOutcome.Reason.WRONG_CONTENT));
    assertThat(repairs.deliveries.finished).isEmpty();
  }
}
