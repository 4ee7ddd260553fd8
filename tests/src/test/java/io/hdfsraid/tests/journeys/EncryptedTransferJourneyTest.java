// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.journeys;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.blockfixer.detect.StripeHealth;
import io.hdfsraid.blockfixer.repair.Delivery;
import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.drfs.step.StepListener;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import io.hdfsraid.drfs.stripe.UnitState;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Where all that DataNodes give and take is encrypted (SASL, {@code dfs.encrypt.data.transfer}) and
 * needs block tokens, which is where connections fail in the most ways.
 */
@Tag("full")
class EncryptedTransferJourneyTest {
  private static final int LENGTH = 6 * Journey.BLOCK - 321;
  private static Journey journey;

  @BeforeAll
  static void start() throws IOException {
    journey =
        new Journey(
            11,
            Map.of(
                "dfs.encrypt.data.transfer",
                "true",
                "dfs.encrypt.data.transfer.cipher.suites",
                "AES/CTR/NoPadding",
                "dfs.namenode.safemode.threshold-pct",
                "0"));
    journey.startDaemon(StepListener.NONE);
  }

  @AfterAll
  static void stop() {
    journey.close();
  }

  @Test
  void lostBlocksAreReadThroughAndRepaired() throws IOException {
    byte[] bytes = journey.load("/a/secret", LENGTH);
    long inode = journey.raid("/a/secret", "rs-6-3");
    LocatedStripe stripe = journey.stripes(inode).get(0);
    journey.delete(stripe, 1);
    journey.corrupt(stripe, 4);
    journey.delete(stripe, 7);

    assertThat(journey.readDegraded("/a/secret")).isEqualTo(bytes);
    journey.repair(inode);

    assertThat(journey.readPlain("/a/secret")).isEqualTo(bytes);
  }

  /** A NameNode that starts makes new keys, of blocks and of transfers; so does a roll-over. */
  @Test
  void whenAllKeysChangeInTheMiddleARepairGoesOn() throws IOException {
    byte[] bytes = journey.load("/b/keys", LENGTH);
    long inode = journey.raid("/b/keys", "rs-6-3");
    LocatedStripe stripe = journey.stripes(inode).get(0);
    journey.delete(stripe, 0);
    journey.delete(stripe, 8);
    journey.health(inode); // with the old keys

    journey.hdfs.restartNameNode();
    for (int unit : List.of(2, 5)) {
      int node = journey.nodeOf(stripe, unit);
      journey.hdfs.stopDataNode(node);
      journey.hdfs.restartDataNode(node);
    }
    journey.repair(inode);

    assertThat(journey.readPlain("/b/keys")).isEqualTo(bytes);
  }

  /**
   * HDFS-14768 and HDFS-15186: parity that was overwritten with zeros, and from which other units
   * were then rebuilt. The NameNode and the DataNode hold such a replica to be good.
   */
  @Test
  void parityOfZerosIsNeitherReadNorSpreadAndIsRebuilt() throws IOException {
    byte[] bytes = journey.load("/c/zeros", LENGTH);
    long inode = journey.raid("/c/zeros", "rs-6-3");
    LocatedStripe stripe = journey.stripes(inode).get(0);
    replace(inode, stripe, 6, new byte[(int) block(stripe, 6).length()]);
    journey.delete(stripe, 3);

    StripeHealth health = journey.health(inode).get(0);
    assertThat(health.lost().toArray()).as(health.message()).containsExactly(3, 6);
    journey.repair(inode);

    assertThat(journey.readPlain("/c/zeros")).isEqualTo(bytes);
  }

  /** The NameNode then has one replica too many, and drops which it likes. */
  @Test
  void aNodeThatComesBackWithWhatWasRebuiltDoesNoHarm() throws IOException {
    byte[] bytes = journey.load("/d/back", LENGTH);
    long inode = journey.raid("/d/back", "rs-6-3");
    LocatedStripe stripe = journey.stripes(inode).get(0);
    int away = journey.nodeOf(stripe, 2);
    journey.hdfs.stopDataNode(away);
    journey.hdfs.declareDead(away);
    journey.repair(inode);
    assertThat(journey.readPlain("/d/back")).isEqualTo(bytes);

    journey.hdfs.restartDataNode(away);
    Journey.until(
        () -> journey.stripes(inode).get(0).unit(2).located().orElseThrow().live().size() == 1,
        () -> "the NameNode to drop one of the two: " + journey.stripes(inode).get(0).unit(2));
    journey.repair(inode);
    Journey.until(
        () -> {
          journey.jobs().upkeep().placementAudit().run();
          return nodes(journey.stripes(inode).get(0)).stream().distinct().count() == 9;
        },
        () -> "each unit to have a node of its own: " + nodes(journey.stripes(inode).get(0)));

    assertThat(journey.readPlain("/d/back")).isEqualTo(bytes);
  }

  private static List<DataNode> nodes(LocatedStripe stripe) {
    return stripe.units().stream()
        .flatMap(unit -> unit.located().stream())
        .flatMap(block -> block.live().stream())
        .map(Replica::node)
        .toList();
  }

  private static Block block(LocatedStripe stripe, int unit) {
    return stripe.unit(unit).located().map(LocatedBlock::block).orElseThrow();
  }

  /** Puts other bytes in the place of a unit: with fitting checksums, known to the NameNode. */
  private static void replace(long inode, LocatedStripe stripe, int unit, byte[] bytes)
      throws IOException {
    DataNode node = stripe.unit(unit).located().orElseThrow().live().get(0).node();
    int index = journey.nodeOf(stripe, unit);
    journey.delete(stripe, unit);
    journey.hdfs.runDirectoryScanner(index);
    Journey.until(
        () -> journey.stripes(inode).get(0).unit(unit).state() == UnitState.LOST,
        () -> "the NameNode to know of the loss");
    try (Delivery delivery = journey.cluster().delivery().open(block(stripe, unit), node, "DISK")) {
      delivery.accept(ByteBuffer.wrap(bytes));
      delivery.finish();
    }
    Journey.until(
        () -> journey.stripes(inode).get(0).unit(unit).state() == UnitState.LIVE,
        () -> "the NameNode to believe in it");
  }
}
