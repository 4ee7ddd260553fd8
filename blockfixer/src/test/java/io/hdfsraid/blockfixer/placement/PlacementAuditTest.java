// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.blockfixer.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.blockfixer.RaidedStripe;
import io.hdfsraid.blockfixer.repair.Polling;
import io.hdfsraid.blockfixer.repair.StripeClaims;
import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.namespace.Fence;
import io.hdfsraid.drfs.namespace.NodeState;
import io.hdfsraid.drfs.namespace.StorageState;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Five racks: node i is on rack i mod 5; unit u lies on node u unless a test moves it. */
class PlacementAuditTest {
  private final List<String> events = new ArrayList<>();
  private final ParityBytes parity = new ParityBytes();
  private Instant now = Instant.parse("2029-06-01T00:00:00Z");
  private final RefusedMoves refused = new RefusedMoves(() -> now);

  private UnitPlacement audit(RaidedStripe file) throws IOException {
    return audit(file, file.cluster.nodes());
  }

  private UnitPlacement audit(RaidedStripe file, List<NodeState> nodes) throws IOException {
    return new PlacementAudit(parity, refused, new Random(1)).audit(file.stripe(), 1, 1, nodes);
  }

  private static void put(RaidedStripe file, int unit, int... nodes) throws IOException {
    file.cluster.place(
        file.block(unit).id(),
        IntStream.of(nodes).mapToObj(file.cluster::node).toArray(DataNode[]::new));
  }

  private UnitMover mover(RaidedStripe file, Fence fence) {
    return new UnitMover(
        (block, from, to) -> {
          events.add("move");
          file.cluster.move(block.id(), from.node(), to);
        },
        fence,
        new StripeClaims(),
        new Polling(3, () -> events.add("wait")),
        new MoveSlots(() -> 1, () -> 1),
        refused,
        parity,
        (step, subject) -> events.add(step.name()));
  }

  private void carryOut(RaidedStripe file, UnitPlacement placement) throws IOException {
    UnitMover mover = mover(file, () -> events.add("fence"));
    for (UnitMove move : placement.moves()) {
      assertThat(mover.move(file.stripe(), move, file.blocks))
          .isInstanceOf(MoveOutcome.Moved.class);
    }
  }

  @Test
  void aSpreadStripeIsSound() throws IOException {
    assertThat(audit(new RaidedStripe("rs-6-3")).sound()).isTrue();
  }

  @Test
  void unitsThatShareANodeArePartedWithAsFewMovesAsPossible() throws IOException {
    RaidedStripe file = new RaidedStripe("rs-6-3", 20, 0);
    put(file, 1, 0);
    put(file, 2, 0);
    put(file, 8, 7);

    UnitPlacement placement = audit(file);

    assertThat(placement.moves()).hasSize(3);
    assertThat(placement.moves())
        .extracting(UnitMove::reason)
        .containsOnly(UnitMove.Reason.SHARED_NODE);
    carryOut(file, placement);
    assertThat(file.nodes()).doesNotHaveDuplicates();
    assertThat(audit(file).sound()).isTrue();
    file.assertWhole();
  }

  @Test
  void everyPlacementIsSoundAfterItsMoves() throws IOException {
    for (int seed = 0; seed < 200; seed++) {
      RaidedStripe file = new RaidedStripe("rs-6-3", 20, seed % 3);
      Random random = new Random(seed);
      for (int unit : file.present().toArray()) {
        put(file, unit, random.nextInt(20));
      }
      int sharing = file.nodes().size() - new HashSet<>(file.nodes()).size();

      UnitPlacement placement = audit(file);

      assertThat(placement.stuck()).as("seed %d", seed).isEmpty();
      assertThat(placement.moves())
          .as("seed %d", seed)
          .filteredOn(move -> move.reason() == UnitMove.Reason.SHARED_NODE)
          .hasSize(sharing);
      int overflow = overflow(file);
      assertThat(placement.moves())
          .as("seed %d: %d share, %d too many in a rack", seed, sharing, overflow)
          .hasSizeLessThanOrEqualTo(sharing + overflow);
      carryOut(file, placement);
      assertThat(audit(file).sound()).as("seed %d", seed).isTrue();
      assertThat(overflow(file)).as("seed %d", seed).isZero();
    }
  }

  private static int overflow(RaidedStripe file) throws IOException {
    int limit = (file.present().size() + 4) / 5;
    Map<String, Integer> inRack = new HashMap<>();
    file.nodes().forEach(node -> inRack.merge(node.rack(), 1, Integer::sum));
    return inRack.values().stream().mapToInt(count -> Math.max(0, count - limit)).sum();
  }

  @Test
  void aCrowdedRackIsRelievedAndNoMore() throws IOException {
    RaidedStripe file = new RaidedStripe("rs-6-3", 20, 0);
    put(file, 1, 10); // nodes 0, 5, 10 are on rack 0: three units where two would do
    assertThat(file.cluster.node(10).rack()).isEqualTo(file.cluster.node(0).rack());

    UnitPlacement placement = audit(file);

    assertThat(placement.moves())
        .singleElement()
        .satisfies(
            move -> {
              assertThat(move.reason()).isEqualTo(UnitMove.Reason.CROWDED_RACK);
              assertThat(move.from().node().rack()).isEqualTo(file.cluster.node(0).rack());
              assertThat(move.to().rack()).isIn("/rack1", "/rack4"); // with one unit each
            });
  }

  private UnitPlacement auditOfTwoReplicas(RaidedStripe file) throws IOException {
    return new PlacementAudit(parity, refused, new Random(1))
        .audit(file.stripe(), 2, 1, file.cluster.nodes());
  }

  /** With a target of two replicas there are rarely as many nodes as replicas. */
  @Test
  void aUnitWithASecondCopyElsewhereIsNotLostWithANode() throws IOException {
    RaidedStripe file = new RaidedStripe("rs-6-3", 9, 0);
    for (int unit = 0; unit < 6; unit++) {
      put(file, unit, unit, (unit + 1) % 6);
    }

    UnitPlacement placement = auditOfTwoReplicas(file);

    assertThat(placement.stuck()).isEmpty();
    assertThat(placement.moves()).isEmpty();
    assertThat(placement.sound()).isTrue();
  }

  @Test
  void singleUnitsAreStillPartedBesideUnitsWithTwoReplicas() throws IOException {
    RaidedStripe file = new RaidedStripe("rs-6-3", 20, 0);
    for (int unit = 0; unit < 6; unit++) {
      put(file, unit, unit, (unit + 1) % 6);
    }
    put(file, 8, 7); // two parity units, which have one replica each

    UnitPlacement placement = auditOfTwoReplicas(file);

    assertThat(placement.moves())
        .singleElement()
        .satisfies(
            move -> {
              assertThat(move.reason()).isEqualTo(UnitMove.Reason.SHARED_NODE);
              assertThat(move.unit()).isBetween(7, 8);
              assertThat(move.to()).as("no node of the data").isNotIn(file.nodes());
            });
  }

  @Test
  void aUnitWhoseTwoReplicasAreInOneRackIsLostWithIt() throws IOException {
    RaidedStripe file = new RaidedStripe("rs-6-3", 20, 0);
    for (int unit = 0; unit < 6; unit++) {
      put(file, unit, unit, (unit + 1) % 6);
    }
    assertThat(auditOfTwoReplicas(file).moves()).isEmpty();
    put(file, 0, 0, 5); // these three units are in rack 0, and in no other
    put(file, 1, 10, 15);
    put(file, 8, 10);

    assertThat(auditOfTwoReplicas(file).moves())
        .singleElement()
        .satisfies(move -> assertThat(move.reason()).isEqualTo(UnitMove.Reason.CROWDED_RACK));
  }

  @Test
  void theShorterOfTwoUnitsIsMoved() throws IOException {
    RaidedStripe file = new RaidedStripe("rs-6-3", 20, 1);
    put(file, 4, 0); // the ragged one

    assertThat(audit(file).moves()).extracting(UnitMove::unit).containsExactly(4);
  }

  @Test
  void unitsWithExcessReplicasAreWaitedForAndNotMoved() throws IOException {
    RaidedStripe file = new RaidedStripe("rs-6-3", 20, 0);
    put(file, 3, 3, 4, 12);

    UnitPlacement placement = audit(file);

    assertThat(placement.notSettled())
        .singleElement()
        .satisfies(
            unit -> {
              assertThat(unit.unit()).isEqualTo(3);
              assertThat(unit.expected()).isEqualTo(1);
              assertThat(unit.nodes()).hasSize(3);
            });
    assertThat(placement.moves()).extracting(UnitMove::unit).doesNotContain(3).contains(4);
    assertThat(placement.sound()).isFalse();
  }

  @Test
  void nothingCountsAsStuckWhileAStripeOfTheFileWaitsForExcessReplicas() throws IOException {
    UnitPlacement stuck =
        new UnitPlacement(
            new RaidedStripe("rs-6-3", 9, 0).stripe(),
            false,
            List.of(),
            List.of(),
            List.of("no place"),
            0);
    RaidedStripe file = new RaidedStripe("rs-6-3", 20, 0);
    put(file, 3, 3, 4, 12);

    assertThat(FilePlacement.of(List.of(stuck)).stuck()).isOne();
    assertThat(FilePlacement.of(List.of(stuck, audit(file))).stuck()).isZero();
  }

  @Test
  void whatCannotBePartedIsSaid() throws IOException {
    RaidedStripe file = new RaidedStripe("rs-3-2", 5, 0);
    put(file, 4, 0);
    file.cluster.kill(file.cluster.node(4)); // five units, four nodes

    UnitPlacement placement = audit(file);

    assertThat(placement.moves()).isEmpty();
    assertThat(placement.stuck())
        .hasSize(2) // whichever of the two it is
        .allSatisfy(words -> assertThat(words).contains("shares", "no node without one has room"));
    assertThat(FilePlacement.of(List.of(placement)).sharingNode()).isOne();
  }

  @Test
  void aLostUnitKeepsAStripeFromBeingSound() throws IOException {
    RaidedStripe file = new RaidedStripe("rs-3-2");
    file.lose(2);

    assertThat(audit(file).stuck()).singleElement().asString().contains("Unit 2", "LOST");
  }

  @Test
  void theFenceStandsBeforeAMoveAndTheNameNodeHasTheLastWord() throws IOException {
    RaidedStripe file = new RaidedStripe("rs-3-2");
    put(file, 1, 0);

    carryOut(file, audit(file));

    assertThat(events).containsExactly("fence", "move", "COPIED", "SETTLED");
  }

  @Test
  void aMoveThatTheNameNodeDoesNotSeeIsPostponed() throws IOException {
    RaidedStripe file = new RaidedStripe("rs-3-2");
    put(file, 1, 0);
    UnitMove move = audit(file).moves().get(0);
    UnitMover mover =
        new UnitMover(
            (block, from, to) -> events.add("move"),
            () -> {},
            new StripeClaims(),
            new Polling(3, () -> events.add("wait")),
            new MoveSlots(() -> 1, () -> 1),
            refused,
            parity,
            (step, subject) -> events.add(step.name()));

    MoveOutcome outcome = mover.move(file.stripe(), move, file.blocks);

    assertThat(outcome)
        .isInstanceOfSatisfying(
            MoveOutcome.Postponed.class,
            postponed -> assertThat(postponed.reason()).contains("does not list it there"));
    assertThat(events).containsExactly("move", "COPIED", "wait", "wait");
  }

  @Test
  void aUnitThatHasChangedOrMovedSinceTheAuditStaysWhereItIs() throws IOException {
    RaidedStripe file = new RaidedStripe("rs-3-2");
    put(file, 2, 0);
    UnitPlacement placement = audit(file);
    UnitMove move = placement.moves().get(0);
    put(file, move.unit(), 6);

    assertThat(mover(file, () -> {}).move(placement.stripe(), move, file.blocks))
        .isInstanceOf(MoveOutcome.Postponed.class);
    file.cluster.delete(RaidedStripe.PATH);
    file.cluster.delete("/.raid/parity/cold");
    assertThat(mover(file, () -> {}).move(placement.stripe(), move, file.blocks))
        .isInstanceOf(MoveOutcome.Postponed.class);
    assertThat(events).doesNotContain("move");
  }

  @Test
  void aReplicaOnALeavingNodeIsNoExcessAndOneThatIsLeftAloneThereIsWaitedFor() throws IOException {
    RaidedStripe file = new RaidedStripe("rs-3-2", 12, 0);
    put(file, 0, 0, 5); // the NameNode has copied it already
    file.cluster.takeOutOfService(file.cluster.node(0));
    assertThat(audit(file).sound()).as("copied away").isTrue();

    file.cluster.takeOutOfService(file.cluster.node(1)); // unit 1 has nothing else

    UnitPlacement placement = audit(file);
    assertThat(placement.moves()).isEmpty();
    assertThat(placement.notSettled())
        .singleElement()
        .satisfies(
            unit -> {
              assertThat(unit.unit()).isEqualTo(1);
              assertThat(unit.cause()).isEqualTo(UnsettledUnit.Cause.LEAVING);
            });
  }

  @Test
  void aUnitThatTheNameNodeCopiedOntoTheNodeOfAnotherIsMovedAlthoughItsOldReplicaIsListed()
      throws IOException {
    RaidedStripe file = new RaidedStripe("rs-3-2", 12, 0);
    put(file, 0, 0, 3); // node 3 has unit 3
    file.cluster.takeOutOfService(file.cluster.node(0));

    UnitPlacement placement = audit(file);

    assertThat(placement.moves()).hasSize(1);
    carryOut(file, placement);
    assertThat(audit(file).sound()).isTrue();
  }

  @Test
  void aUnitStaysOnItsMediumAndWithoutRoomThereItIsStuck() throws IOException {
    RaidedStripe file = new RaidedStripe("rs-3-2", 12, 0);
    put(file, 1, 0);
    List<NodeState> archives = new ArrayList<>();
    for (NodeState node : file.cluster.nodes()) {
      boolean hasDisk = node.node().equals(file.cluster.node(11));
      archives.add(
          new NodeState(
              node.node(),
              true,
              node.remaining(),
              node.used(),
              List.of(
                  new StorageState(
                      "DS", hasDisk ? "DISK" : "ARCHIVE", node.remaining(), node.used()))));
    }

    assertThat(audit(file, archives).moves())
        .singleElement()
        .extracting(UnitMove::to)
        .isEqualTo(file.cluster.node(11));
    archives.removeIf(node -> node.node().equals(file.cluster.node(11)));
    assertThat(audit(file, archives).stuck())
        .anySatisfy(words -> assertThat(words).contains("shares", "on DISK"));
  }

  @Test
  void theTargetIsInTheSameRackSoThatNoBytesCrossRacks() throws IOException {
    for (int seed = 0; seed < 20; seed++) {
      RaidedStripe file = new RaidedStripe("rs-6-3", 40, 0);
      put(file, 1, 0); // node 0 and rack 0 now have units 0 and 1,
      put(file, 5, 21); // and two in a rack is right

      UnitMove move = audit(file).moves().get(0);

      assertThat(move.to().rack()).isEqualTo(move.from().node().rack());
    }
  }

  @Test
  void ofTwoUnitsOnANodeTheOneGoesOfWhoseKindTheNodeHasTooMuch() throws IOException {
    RaidedStripe file = new RaidedStripe("rs-3-2", 12, 0);
    put(file, 4, 0); // parity beside data unit 0
    List<NodeState> nodes =
        file.cluster.nodes().stream()
            .map(node -> new NodeState(node.node(), true, 1_000_000, 100_000))
            .toList();
    nodes.forEach(node -> parity.added(node.node(), 50_000));

    parity.added(file.cluster.node(0), 40_000);
    assertThat(audit(file, nodes).moves()).extracting(UnitMove::unit).containsExactly(4);
    parity.added(file.cluster.node(0), -80_000);
    assertThat(audit(file, nodes).moves()).extracting(UnitMove::unit).containsExactly(0);
  }

  @Test
  void aRefusedMoveIsNotAskedForAgainBeforeItsTimeAndTheOtherUnitGoesInstead() throws IOException {
    RaidedStripe file = new RaidedStripe("rs-3-2", 12, 0);
    put(file, 1, 0);
    UnitMove first = audit(file).moves().get(0);
    UnitMover pinned =
        new UnitMover(
            (block, from, to) -> {
              events.add("asked");
              throw new IOException("Got error, block is pinned");
            },
            () -> {},
            new StripeClaims(),
            new Polling(3, () -> {}),
            new MoveSlots(() -> 1, () -> 1),
            refused,
            parity,
            (step, subject) -> events.add(step.name()));

    assertThat(pinned.move(file.stripe(), first, file.blocks))
        .isInstanceOfSatisfying(
            MoveOutcome.Postponed.class,
            postponed -> assertThat(postponed.reason()).contains("block is pinned", "attempt 1"));
    UnitMove second = audit(file).moves().get(0);
    assertThat(second.unit()).as("the other one").isNotEqualTo(first.unit());
    pinned.move(file.stripe(), second, file.blocks);

    UnitPlacement stuck = audit(file);
    assertThat(stuck.moves()).isEmpty();
    assertThat(stuck.stuck())
        .hasSize(2)
        .allSatisfy(words -> assertThat(words).contains("refused 1 times", "block is pinned"));
    assertThat(FilePlacement.of(List.of(stuck)))
        .returns(2, FilePlacement::refused)
        .returns(1, FilePlacement::sharingNode);
    now = now.plusSeconds(61);
    assertThat(audit(file).moves()).hasSize(1);
    assertThat(events).containsExactly("asked", "asked");
  }

  @Test
  void refusalsAreRememberedLongerEachTimeAndADayAtMost() {
    Block block = new Block(1, 1, 1);
    Duration last = Duration.ZERO;
    for (int time = 1; time <= 40; time++) {
      Duration pause = Duration.between(now, refused.refused(block, "full").until());
      assertThat(pause).isGreaterThanOrEqualTo(last).isLessThanOrEqualTo(Duration.ofDays(1));
      last = pause;
    }
    assertThat(last).isEqualTo(Duration.ofDays(1));
    refused.moved(block);
    assertThat(refused.of(block)).isEmpty();
  }

  @Test
  void refusalsOfTooManyBlocksAreForgottenOldestFirst() {
    for (int id = 0; id <= RefusedMoves.MOST; id++) {
      refused.refused(new Block(id, 1, 1), "full");
    }
    assertThat(refused.of(new Block(0, 1, 1))).isEmpty();
    assertThat(refused.of(new Block(1, 1, 1))).isPresent();
  }
}
