// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.blockfixer.detect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.hdfsraid.blockfixer.RaidedStripe;
import io.hdfsraid.blockfixer.detect.StripeHealth.State;
import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.drfs.namespace.InodeGoneException;
import io.hdfsraid.drfs.stripe.StripeLocator;
import io.hdfsraid.drfs.stripe.UnitState;
import io.hdfsraid.erasurecode.UnitSet;
import io.hdfsraid.erasurecode.codes.Codecs;
import java.io.IOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class IntegrityCheckTest {
  @Test
  void aWholeStripeIsHealthyAndSaysWhatItBears() throws IOException {
    RaidedStripe file = new RaidedStripe("rs-6-3");

    StripeHealth health = file.health();

    assertThat(health.state()).isEqualTo(State.HEALTHY);
    assertThat(health.furtherLosses()).isEqualTo(3);
    assertThat(health.findings()).isEmpty();
    assertThat(health.message()).contains("has all 9 units and tolerates any 3 losses");
  }

  @Test
  void whatTheNameNodeKnowsIsFoundWithoutAskingADataNode() throws IOException {
    RaidedStripe file = new RaidedStripe("rs-6-3");
    file.lose(1);
    file.cluster.report(file.block(7).id(), file.cluster.node(7));

    StripeHealth health = file.wordOfTheNameNode();

    assertThat(health.state()).isEqualTo(State.DEGRADED);
    assertThat(health.lost()).isEqualTo(UnitSet.of(1, 7));
    assertThat(health.furtherLosses()).isEqualTo(1);
    assertThat(health.findings())
        .extracting(UnitFinding::source)
        .containsOnly(DetectionSource.NAMENODE);
    assertThat(health.findings())
        .extracting(UnitFinding::fault)
        .containsExactly(Fault.MISSING, Fault.CORRUPT);
    assertThat(health.message()).contains("lost 2 of 9 units, {1, 7}").contains("any 1 further");
    assertThat(health.unreportedBadReplicas()).isEmpty();
  }

  @Test
  void everySetOfLossesIsJudgedByRank() throws IOException {
    for (UnitSet lost : RaidedStripe.subsets(UnitSet.range(0, 5), 4)) {
      RaidedStripe file = new RaidedStripe("rs-3-2");
      file.lose(lost);

      StripeHealth health = file.health();

      assertThat(health.state())
          .as("lost %s", lost)
          .isEqualTo(lost.size() <= 2 ? State.DEGRADED : State.UNRECOVERABLE);
      assertThat(health.furtherLosses())
          .as("lost %s", lost)
          .isEqualTo(lost.size() <= 2 ? 2 - lost.size() : -1);
    }
  }

  @Test
  void oneLossTooManyIsUnrecoverableAndTheMessageHasTheArithmetic() throws IOException {
    RaidedStripe file = new RaidedStripe("rs-6-3");
    file.lose(UnitSet.of(0, 2, 6));
    file.dataNodes.cutOff(file.replica(8).node());

    StripeHealth health = file.health();

    assertThat(health.state()).isEqualTo(State.UNRECOVERABLE);
    assertThat(health.message())
        .contains("lost 4 of 9 units, {0, 2, 6, 8}")
        .contains("the 5 units left, {1, 3, 4, 5, 7}, do not determine them")
        .contains("its code tolerates any 3 losses")
        .contains("the nodes of units {8} do not answer, and their return would help");
  }

  @Test
  void aReplicaThatIsGoneIsFoundBeforeTheNameNodeKnows() throws IOException {
    RaidedStripe file = new RaidedStripe("rs-6-3");
    Replica gone = file.replica(4);
    file.dataNodes.vanish(gone);

    assertThat(file.wordOfTheNameNode().state()).isEqualTo(State.HEALTHY);
    StripeHealth health = file.health();

    assertThat(health.lost()).isEqualTo(UnitSet.of(4));
    assertThat(health.findings())
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.fault()).isEqualTo(Fault.REPLICA_GONE);
              assertThat(finding.source()).isEqualTo(DetectionSource.DATANODE_CHECKSUM);
              assertThat(finding.message()).contains(gone.node().toString()).contains("unit 4");
            });
    assertThat(health.unreportedBadReplicas())
        .containsExactly(new BadReplica(4, file.block(4), gone, Fault.REPLICA_GONE));
    assertThat(health.unreachable()).isEqualTo(UnitSet.none());
  }

  @Test
  void otherContentUnderTheSameBlockIsFound() throws IOException {
    RaidedStripe file = new RaidedStripe("rs-6-3");
    file.replaceContent(7);

    StripeHealth health = file.health();

    assertThat(health.lost()).isEqualTo(UnitSet.of(7));
    assertThat(health.findings())
        .extracting(UnitFinding::fault)
        .containsExactly(Fault.OTHER_CONTENT);
    assertThat(health.unreportedBadReplicas()).hasSize(1);
  }

  @Test
  void aNodeThatDoesNotAnswerProvesNothingAboutItsReplica() throws IOException {
    RaidedStripe file = new RaidedStripe("rs-6-3");
    file.dataNodes.cutOff(file.replica(2).node());

    StripeHealth health = file.health();

    assertThat(health.lost()).isEqualTo(UnitSet.of(2));
    assertThat(health.unreachable()).isEqualTo(UnitSet.of(2));
    assertThat(health.unreportedBadReplicas()).isEmpty();
  }

  @Test
  void aNodeThatHangsUpOnceIsAskedAgain() throws IOException {
    RaidedStripe file = new RaidedStripe("rs-6-3");
    file.dataNodes.hangUp(file.replica(2).node(), 1);

    assertThat(file.health().state()).isEqualTo(State.HEALTHY);
  }

  @Test
  void aUnitLivesOnAnotherReplicaWhenOneIsBad() throws IOException {
    RaidedStripe file = new RaidedStripe("rs-6-3");
    file.cluster.place(file.block(3).id(), file.cluster.node(3), file.cluster.node(10));
    Replica bad = file.located(3).live().get(0);
    Replica good = file.located(3).live().get(1);
    file.dataNodes.vanish(bad);

    StripeHealth health = file.health();

    assertThat(health.state()).isEqualTo(State.HEALTHY);
    assertThat(health.stripe().unit(3).located().orElseThrow().live()).containsExactly(good);
    assertThat(health.unreportedBadReplicas()).extracting(BadReplica::replica).containsExactly(bad);
  }

  @Test
  void aChangedUnitMakesAStripeUnknown() throws IOException {
    RaidedStripe file = new RaidedStripe("rs-3-2");
    file.cluster.truncate(RaidedStripe.PATH, 2500);

    StripeHealth health = file.health();

    assertThat(health.state()).isEqualTo(State.UNKNOWN);
    assertThat(health.stripe().unit(2).state()).isEqualTo(UnitState.CHANGED);
    assertThat(health.lost()).isEqualTo(UnitSet.none());
    assertThat(health.furtherLosses()).isEqualTo(1);
    assertThat(health.message()).contains("units {2} changed");
  }

  @Test
  void lossesBesideAChangedUnitAreRepairableAsLongAsTheOthersDetermineThem() throws IOException {
    RaidedStripe file = new RaidedStripe("rs-3-2");
    file.cluster.truncate(RaidedStripe.PATH, 2500);
    file.lose(0);
    assertThat(file.health().state()).isEqualTo(State.DEGRADED);
    assertThat(file.health().furtherLosses()).isZero();

    file.lose(4);

    assertThat(file.health().state()).isEqualTo(State.UNKNOWN);
    assertThat(file.health().lost()).isEqualTo(UnitSet.of(0, 4));
  }

  @Test
  void whatNothingHoldsAnyMoreIsLostToTheStripeAndNotToBeRebuilt() throws IOException {
    RaidedStripe file = new RaidedStripe("rs-3-2");
    file.cluster.truncate(RaidedStripe.PATH, 2000);
    file.lose(UnitSet.of(0, 4));
    Set<Long> held = new HashSet<>();
    IntegrityCheck asking =
        new IntegrityCheck(
            file.cluster,
            new StripeLocator(Codecs::parse),
            file.dataNodes,
            KnownFaults.NONE,
            new DetachedBlocks() {
              @Override
              public Set<Long> existing(Collection<Long> ids) {
                return ids.stream().filter(held::contains).collect(Collectors.toSet());
              }

              @Override
              public Map<Block, LocatedBlock> locate(Collection<Block> blocks) {
                return Map.of();
              }
            },
            Runnable::run);

    StripeHealth health = asking.check(file.parity).get(0);
    assertThat(health.state()).as(health.message()).isEqualTo(State.UNRECOVERABLE);
    assertThat(health.lost()).isEqualTo(UnitSet.of(0, 4));
    assertThat(health.findings())
        .filteredOn(finding -> finding.fault() == Fault.DELETED)
        .extracting(UnitFinding::unit)
        .containsExactly(2);

    held.add(file.block(2).id());
    assertThat(asking.check(file.parity).get(0).state())
        .as("a snapshot may hold it")
        .isEqualTo(State.UNKNOWN);
  }

  @Test
  void absentUnitsAreNeitherLostNorAskedFor() throws IOException {
    RaidedStripe file = new RaidedStripe("rs-6-3", 12, 3);
    file.lose(UnitSet.of(0, 1, 7));

    StripeHealth health = file.health();

    assertThat(health.state()).isEqualTo(State.DEGRADED);
    assertThat(health.lost()).isEqualTo(UnitSet.of(0, 1, 7));
  }

  @Test
  void parityThatIsGoneAltogetherIsSaid() throws IOException {
    RaidedStripe file = new RaidedStripe("rs-3-2");
    file.cluster.delete("/.raid/parity/cold");

    assertThatExceptionOfType(InodeGoneException.class).isThrownBy(file::health);
  }

  /** A file that was deleted, and a snapshot that holds its blocks. */
  @Test
  void unitsThatASnapshotHoldsAreJudgedAsThoseOfAFile() throws IOException {
    RaidedStripe file = new RaidedStripe("rs-3-2");
    Block first = file.block(0);
    file.cluster.snapshot(RaidedStripe.PATH);
    file.cluster.delete(RaidedStripe.PATH);
    assertThat(file.health().state()).as("where nobody finds them").isEqualTo(State.UNKNOWN);
    IntegrityCheck finding =
        new IntegrityCheck(
            file.cluster,
            new StripeLocator(Codecs::parse),
            file.dataNodes,
            KnownFaults.NONE,
            new DetachedBlocks() {
              @Override
              public Set<Long> existing(Collection<Long> ids) {
                return Set.copyOf(ids);
              }

              @Override
              public Map<Block, LocatedBlock> locate(Collection<Block> blocks) {
                Map<Block, LocatedBlock> found = new HashMap<>();
                blocks.forEach(
                    block ->
                        file.cluster.located(block).ifPresent(there -> found.put(block, there)));
                return found;
              }
            },
            Runnable::run);
    assertThat(finding.check(file.parity).get(0).state()).isEqualTo(State.HEALTHY);

    file.cluster.kill(file.cluster.node(0));

    StripeHealth health = finding.check(file.parity).get(0);
    assertThat(health.state()).isEqualTo(State.DEGRADED);
    assertThat(health.lost()).isEqualTo(UnitSet.of(0));
    assertThat(finding.lookup(file.parity).now(health.stripe(), 0))
        .as("what the repair waits for")
        .hasValueSatisfying(located -> assertThat(located.block()).isEqualTo(first));
  }
}
