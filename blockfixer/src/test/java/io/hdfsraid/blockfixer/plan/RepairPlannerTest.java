// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.blockfixer.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.hdfsraid.blockfixer.RaidedStripe;
import io.hdfsraid.blockfixer.detect.StripeHealth;
import io.hdfsraid.blockfixer.detect.StripeHealth.State;
import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.erasurecode.ReadCost;
import io.hdfsraid.erasurecode.UnitSet;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RepairPlannerTest {

  @Test
  void aPlanIsPricedInBytesBeforeItRuns() throws IOException {
    RaidedStripe file = new RaidedStripe("rs-6-3");
    file.lose(UnitSet.of(0, 7));

    RepairPlan plan = file.plan(file.health());

    assertThat(plan.partial()).isFalse();
    assertThat(plan.bytesToRead()).isEqualTo(6 * 1000);
    assertThat(plan.bytesToWrite()).isEqualTo(2 * 1000);
    assertThat(plan.message())
        .contains("units {0, 7}")
        .contains("read 6000")
        .contains("write 2000");
  }

  @Test
  void aRaggedTailIsReadRatherThanAFullUnit() throws IOException {
    RaidedStripe file = new RaidedStripe("rs-6-3", 14, 1);
    file.lose(0);

    RepairPlan plan = file.plan(file.health());

    assertThat(plan.recipe().helpers().contains(4)).as("the ragged unit is read").isTrue();
    assertThat(plan.bytesToRead()).isEqualTo(4 * 1000 + 877);
  }

  @Test
  void ofEquallyLongUnitsThoseOfNearAndIdleNodesAreRead() throws IOException {
    RaidedStripe file = new RaidedStripe("rs-6-3");
    file.lose(0);
    Set<DataNode> busy = Set.of(file.cluster.node(2), file.cluster.node(7));
    RepairPlanner planner =
        new RepairPlanner(
            file.cluster, new TargetSelector(new Random(1)), node -> busy.contains(node) ? 1 : 0);

    assertThat(planner.plan(file.health()).plan().orElseThrow().recipe().helpers())
        .isEqualTo(UnitSet.of(1, 3, 4, 5, 6, 8));
  }

  @Test
  void bytesCountForMoreThanWhereTheyAre() throws IOException {
    RaidedStripe file = new RaidedStripe("lrc-xorbas-10-6");
    file.lose(3);
    RepairPlanner planner =
        new RepairPlanner(
            file.cluster,
            new TargetSelector(new Random(1)),
            node -> List.of(0, 1, 2, 4).contains(file.cluster.allNodes().indexOf(node)) ? 1 : 0);

    assertThat(planner.plan(file.health()).plan().orElseThrow().bytesToRead()).isEqualTo(5 * 1000);
  }

  @Test
  void aLocalGroupIsEnoughForASingleLossOfAnLrc() throws IOException {
    RaidedStripe file = new RaidedStripe("lrc-xorbas-10-6");
    file.lose(3);

    assertThat(file.plan(file.health()).recipe().helpers().size()).isEqualTo(5);
  }

  @Test
  void whatALocalGroupDeterminesIsRebuiltOfAStripeThatIsLostAsAWhole() throws IOException {
    RaidedStripe file = new RaidedStripe("lrc-xorbas-10-6");
    UnitSet hopeless = UnitSet.of(5, 6, 7, 8, 9);
    for (int parity = 10; hopeless.size() < 8; parity++) {
      if (file.codec
          .recipe(UnitSet.of(0), UnitSet.of(1, 2, 3, 4, parity), ReadCost.UNIFORM)
          .isEmpty()) {
        hopeless = hopeless.with(parity);
      }
    }
    file.lose(hopeless.with(0));
    StripeHealth health = file.health();
    assertThat(health.state()).isEqualTo(State.UNRECOVERABLE);

    RepairPlan plan = file.plan(health);

    assertThat(plan.lost()).isEqualTo(UnitSet.of(0));
    assertThat(plan.partial()).isTrue();
    assertThat(plan.undetermined()).isEqualTo(hopeless);
    assertThat(plan.message()).contains("units " + hopeless + " cannot be rebuilt");
    file.lose(1);
    assertThat(file.planner.plan(file.health())).isInstanceOf(RepairImpossible.class);
  }

  @Test
  void unitsThatHaveATargetAreNotKeptWaitingForOneThatHasNone() throws IOException {
    RaidedStripe file = new RaidedStripe("lrc-xorbas-10-6");
    file.lose(UnitSet.of(0, 7));
    DataNode only = file.cluster.node(0);
    // The one node in service had unit 7 and shows its corrupt replica still.
    file.cluster.place(file.block(7).id(), only);
    file.cluster.report(file.block(7).id(), only);
    for (DataNode node : file.cluster.allNodes()) {
      if (!node.equals(only)) {
        file.cluster.takeOutOfService(node);
      }
    }

    RepairPlan plan = file.plan(file.health());

    assertThat(plan.lost()).isEqualTo(UnitSet.of(0));
    assertThat(plan.deliveries()).extracting(PlannedDelivery::unit).containsExactly(0);
    assertThat(plan.unplaced()).isEqualTo(UnitSet.of(7));
    assertThat(plan.partial()).isTrue();
    assertThat(plan.message()).contains("no DataNode has room for units {7}");
  }

  @Test
  void unitsOfOneRepairDoNotShareANode() throws IOException {
    RaidedStripe file = new RaidedStripe("rs-6-3", 9, 0);
    file.lose(UnitSet.of(0, 4, 8));

    assertThat(file.plan(file.health()).deliveries())
        .extracting(PlannedDelivery::target)
        .containsExactlyInAnyOrder(
            file.cluster.node(0), file.cluster.node(4), file.cluster.node(8));
  }

  @Test
  void aUnitThatCrowdsARackIsSaidToBeBetterElsewhere() throws IOException {
    RaidedStripe file = new RaidedStripe("rs-3-2", 10, 0);
    file.lose(0);
    assertThat(file.plan(file.health()).crowded()).as("one in each of five racks").isFalse();

    Set<DataNode> itsRack = Set.of(file.cluster.node(0), file.cluster.node(5));
    RepairDecision elsewhere = file.planner.plan(file.health(), UnitSet.of(0), itsRack);
    assertThat(elsewhere.plan().orElseThrow().crowded()).as("the second in a rack").isTrue();
  }

  @Test
  void aUnitGoesToTheMediumOfMostOfItsStripeAndElsewhereOnlyIfThatIsFull() throws IOException {
    RaidedStripe file = new RaidedStripe("rs-6-3", 20, 0);
    List<DataNode> archive = file.cluster.allNodes().subList(1, 12);
    archive.forEach(node -> file.cluster.useMedium(node, "ARCHIVE"));
    file.lose(4); // its rack has neither a unit nor a free node with an ARCHIVE volume
    file.cluster.kill(file.cluster.node(4));

    PlannedDelivery delivery = file.plan(file.health()).deliveries().get(0);

    assertThat(archive).contains(delivery.target());
    assertThat(delivery.storageType()).isEqualTo("ARCHIVE");
    for (DataNode node : archive) {
      file.cluster.leaveRoom(node, 0);
    }
    delivery = file.plan(file.health()).deliveries().get(0);
    assertThat(archive).doesNotContain(delivery.target());
    assertThat(delivery.storageType()).isEqualTo("DISK");
  }

  @Test
  void aNodeThatDoesNotAnswerIsNoTarget() throws IOException {
    RaidedStripe file = new RaidedStripe("rs-3-2", 7, 0);
    file.lose(0);
    file.dataNodes.cutOff(file.replica(4).node());
    StripeHealth health = file.health();
    Set<DataNode> avoid = Set.of(file.cluster.node(0), file.cluster.node(5));

    RepairPlan plan = file.planner.plan(health, UnitSet.of(0), avoid).plan().orElseThrow();

    assertThat(plan.lost()).isEqualTo(UnitSet.of(0));
    assertThat(plan.deliveries())
        .extracting(PlannedDelivery::target)
        .containsExactly(file.cluster.node(6));
  }

  @Test
  void withoutAnyPlaceTheRepairIsBlocked() throws IOException {
    RaidedStripe file = new RaidedStripe("rs-3-2");
    file.lose(0);
    for (DataNode node : file.cluster.allNodes()) {
      file.cluster.takeOutOfService(node);
    }

    assertThat(file.planner.plan(file.health()))
        .isInstanceOfSatisfying(
            RepairBlocked.class,
            blocked -> assertThat(blocked.message()).contains("No DataNode in service has room"));
  }

  @Test
  void aStripeWithoutEnoughEvidenceIsNotActedOn() throws IOException {
    RaidedStripe file = new RaidedStripe("rs-3-2");
    file.cluster.truncate(RaidedStripe.PATH, 2500);
    assertThat(file.planner.plan(file.health())).isInstanceOf(RepairBlocked.class);
    file.lose(UnitSet.of(0, 4));
    assertThat(file.health().state()).isEqualTo(State.UNKNOWN);

    assertThat(file.planner.plan(file.health())).isInstanceOf(RepairBlocked.class);
  }

  /** Its local group determines unit 0; the changed unit 5 cannot help 3 and 4. */
  @Test
  void whatIsDeterminedIsRebuiltAlsoWhereThereIsNotEnoughEvidenceForTheRest() throws IOException {
    RaidedStripe file = new RaidedStripe("lrc-azure-6-2-2");
    file.cluster.truncate(RaidedStripe.PATH, 5500);
    file.lose(UnitSet.of(3, 4, 7, 8));
    assertThat(file.health().needsRepair()).as("nothing can be done").isFalse();
    assertThat(file.health().furtherLosses()).isNegative();
    file.lose(0);
    StripeHealth health = file.health();
    assertThat(health.state()).isEqualTo(State.UNKNOWN);
    assertThat(health.determined()).isEqualTo(UnitSet.of(0));
    assertThat(health.needsRepair()).isTrue();
    assertThat(health.furtherLosses()).as("no loss is proven").isZero();

    RepairPlan plan = file.plan(health);

    assertThat(plan.lost()).isEqualTo(UnitSet.of(0));
    assertThat(plan.undetermined()).isEqualTo(UnitSet.of(3, 4, 7, 8));
    assertThat(plan.recipe().helpers()).isEqualTo(UnitSet.of(1, 2, 6));
  }

  @Test
  void thereIsNothingToPlanForUnitsThatAreNotLost() throws IOException {
    RaidedStripe file = new RaidedStripe("rs-3-2");
    StripeHealth health = file.health();

    assertThatIllegalArgumentException().isThrownBy(() -> file.planner.plan(health));
  }
}
