// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.journeys;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.blockfixer.detect.StripeHealth;
import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.fs.DistributedRaidFileSystem;
import io.hdfsraid.drfs.step.StepListener;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidnode.catalog.RepairState;
import io.hdfsraid.raidnode.catalog.RepairStatus;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.HarFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The main job on a real HDFS with block tokens: raided, damaged, read through, repaired. */
class RepairJourneyTest {
  private static Journey journey;

  @BeforeAll
  static void start() throws IOException {
    journey = new Journey(14);
    journey.startDaemon(StepListener.NONE);
  }

  @AfterAll
  static void stop() {
    journey.close();
  }

  @Test
  void aRaidedFileHasOneReplicaOfEachUnitAndAllOnDifferentNodes() throws IOException {
    byte[] bytes = journey.load("/a/cold", 13 * Journey.BLOCK + 777);
    long before = journey.file("/a/cold").inode();

    long inode = journey.raid("/a/cold", "rs-6-3");

    assertThat(inode).as("same inode").isEqualTo(before);
    assertThat(journey.readPlain("/a/cold")).as("by a plain client").isEqualTo(bytes);
    for (LocatedStripe stripe : journey.stripes(inode)) {
      List<DataNode> nodes = new ArrayList<>();
      stripe.units().stream()
          .flatMap(unit -> unit.located().stream())
          .forEach(block -> block.live().forEach(replica -> nodes.add(replica.node())));
      assertThat(nodes)
          .as("%s", stripe)
          .hasSize(9 - stripe.absent().size())
          .doesNotHaveDuplicates();
    }
  }

  @Test
  void aMixOfDataAndParityLossesIsReadThroughAndRepaired() throws IOException {
    assertMixIsReadThroughAndRepaired(2);
  }

  @Tag("full")
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 3})
  void everyMixOfDataAndParityLossesIsReadThroughAndRepaired(int dataLost) throws IOException {
    assertMixIsReadThroughAndRepaired(dataLost);
  }

  private static void assertMixIsReadThroughAndRepaired(int dataLost) throws IOException {
    String path = "/b/mix" + dataLost;
    byte[] bytes = journey.load(path, 6 * Journey.BLOCK - 100);
    long inode = journey.raid(path, "rs-6-3");
    LocatedStripe stripe = journey.stripes(inode).get(0);
    for (int i = 0; i < dataLost; i++) {
      journey.delete(stripe, i * 2);
    }
    for (int i = 0; i < 3 - dataLost; i++) {
      journey.delete(stripe, 6 + i);
    }

    assertThat(journey.readDegraded(path)).as("while it is damaged").isEqualTo(bytes);
    journey.repair(inode);

    assertThat(journey.readPlain(path)).as("by a plain client after repair").isEqualTo(bytes);
    assertThat(journey.stripes(inode).get(0).available().size()).isEqualTo(9);
  }

  @Test
  @Tag("full")
  void aFileInAnArchiveIsReadThroughTheLossOfABlockOfItsPartAndThePartIsRepaired()
      throws IOException {
    Map<String, byte[]> files = new TreeMap<>();
    for (int i = 0; i < 40; i++) {
      byte[] bytes = new byte[Journey.BLOCK / 4 + 1_000 * i];
      new Random(i).nextBytes(bytes);
      files.put("small " + i, bytes);
    }
    Archive.write(journey.hdfs.fileSystem(), new Path("/g/logs.har"), files);
    long inode = journey.raid("/g/logs.har/part-0", "rs-6-3");
    LocatedStripe stripe = journey.stripes(inode).get(0);
    journey.delete(stripe, 1);
    journey.delete(stripe, 4);

    assertArchiveHas(files, "while blocks are lost");
    journey.repair(inode);

    assertArchiveHas(files, "after the repair");
    assertThat(journey.stripes(inode).get(0).available().size()).isEqualTo(9);
  }

  /**
   * Through Hadoop's own {@code HarFileSystem}, above the file system that reads through losses.
   */
  private static void assertArchiveHas(Map<String, byte[]> files, String when) throws IOException {
    Configuration conf = new Configuration(journey.hdfs.configuration());
    conf.set("fs.hdfs.impl", DistributedRaidFileSystem.class.getName());
    conf.setBoolean("fs.hdfs.impl.disable.cache", true);
    URI archive =
        URI.create("har://hdfs-%s/g/logs.har".formatted(journey.hdfs.uri().getAuthority()));
    try (FileSystem har = FileSystem.newInstance(archive, conf)) {
      assertThat(har).isInstanceOf(HarFileSystem.class);
      for (Map.Entry<String, byte[]> file : files.entrySet()) {
        try (FSDataInputStream in = har.open(new Path(archive + "/" + file.getKey()))) {
          assertThat(in.readAllBytes()).as("%s %s", file.getKey(), when).isEqualTo(file.getValue());
        }
      }
    }
  }

  @Test
  void rotThatAReadFindsIsRepaired() throws IOException {
    byte[] bytes = journey.load("/c/rotten", 7 * Journey.BLOCK);
    long inode = journey.raid("/c/rotten", "rs-6-3");
    LocatedStripe stripe = journey.stripes(inode).get(0);
    journey.corrupt(stripe, 1);

    assertThat(journey.readDegraded("/c/rotten")).isEqualTo(bytes);
    Journey.until(
        () ->
            journey.health(inode).stream()
                .anyMatch(health -> health.state() != StripeHealth.State.HEALTHY),
        () -> "the client's report of the rot to arrive");
    journey.repair(inode);

    assertThat(journey.readPlain("/c/rotten")).isEqualTo(bytes);
  }

  @Test
  void oneLossTooManyWritesNothingAndIsRepairedWhenANodeReturns() throws IOException {
    byte[] bytes = journey.load("/d/toomuch", 6 * Journey.BLOCK);
    long inode = journey.raid("/d/toomuch", "rs-6-3");
    LocatedStripe stripe = journey.stripes(inode).get(0);
    int away = journey.nodeOf(stripe, 0);
    journey.hdfs.stopDataNode(away);
    journey.hdfs.declareDead(away);
    try {
      for (int unit = 1; unit <= 3; unit++) {
        journey.delete(stripe, unit);
      }

      List<StripeHealth> health = journey.health(inode);
      assertThat(health).extracting(StripeHealth::state).contains(StripeHealth.State.UNRECOVERABLE);
      assertThat(health.get(0).message()).contains("{0, 1, 2, 3}");
      journey.jobs().repair().job().run(inode, "test", each -> {});

      assertThat(repairs(inode))
          .singleElement()
          .satisfies(
              repair -> {
                assertThat(repair.status()).isEqualTo(RepairStatus.UNRECOVERABLE);
                assertThat(repair.furtherLosses()).isEqualTo(-1);
              });
      assertThat(journey.stripes(inode).get(0).lost().size()).as("nothing rebuilt").isPositive();
    } finally {
      journey.hdfs.restartDataNode(away);
      journey.hdfs.waitActive();
    }

    journey.repair(inode);
    assertThat(journey.readPlain("/d/toomuch")).isEqualTo(bytes);
  }

  @Test
  void aFileThatIsUnraidedHasItsReplicasAgainAndNoParity() throws IOException {
    byte[] bytes = journey.load("/e/back", 8 * Journey.BLOCK + 1);
    long inode = journey.raid("/e/back", "rs-6-3");

    journey.jobs().upkeep().reconciler().unraid(inode, "test");
    journey.settle(inode, FileState.LEFT);
    journey.jobs().upkeep().cleanUp().run();

    assertThat(journey.file("/e/back").replication()).isEqualTo(3);
    assertThat(journey.file("/e/back").blocks())
        .allSatisfy(block -> assertThat(block.live()).hasSize(3));
    assertThat(journey.cluster().access().parity().find(inode)).isEmpty();
    assertThat(journey.readPlain("/e/back")).isEqualTo(bytes);
  }

  /** The blocks have one replica each, and the parity stays as long as the snapshot. */
  @Test
  void whatOnlyASnapshotHoldsIsReadThroughItsParityAndRepaired() throws IOException {
    DistributedFileSystem fs = journey.hdfs.fileSystem();
    byte[] deleted = journey.load("/s/deleted", 6 * Journey.BLOCK - 5);
    byte[] cut = journey.load("/s/cut", 6 * Journey.BLOCK);
    long deletedInode = journey.raid("/s/deleted", "rs-6-3");
    long cutInode = journey.raid("/s/cut", "rs-6-3");
    LocatedStripe ofDeleted = journey.stripes(deletedInode).get(0);
    LocatedStripe ofCut = journey.stripes(cutInode).get(0);
    fs.allowSnapshot(new Path("/s"));
    Path snapshot = fs.createSnapshot(new Path("/s"), "before");
    assertThat(fs.delete(new Path("/s/deleted"), false)).isTrue();
    assertThat(fs.truncate(new Path("/s/cut"), 2L * Journey.BLOCK)).isTrue();
    journey.jobs().upkeep().reconciler().reconcile(deletedInode, "test");
    journey.jobs().upkeep().reconciler().reconcile(cutInode, "test");
    assertThat(journey.health(deletedInode))
        .allMatch(stripe -> stripe.state() == StripeHealth.State.HEALTHY);

    journey.delete(ofDeleted, 1);
    journey.delete(ofDeleted, 5);
    journey.delete(ofCut, 4);

    String deletedThen = new Path(snapshot, "deleted").toUri().getPath();
    String cutThen = new Path(snapshot, "cut").toUri().getPath();
    assertThat(journey.readDegraded(deletedThen)).isEqualTo(deleted);
    assertThat(journey.readDegraded(cutThen)).isEqualTo(cut);
    journey.repair(deletedInode);
    journey.repair(cutInode);
    assertThat(journey.readPlain(deletedThen)).isEqualTo(deleted);
    assertThat(journey.readPlain(cutThen)).isEqualTo(cut);
  }

  /** HDFS does not resolve its inode any more, and its fsck gives a name without a directory. */
  @Test
  @Tag("full")
  void aFileThatWasRenamedBeforeItWasDeletedIsReadInItsSnapshot() throws IOException {
    DistributedFileSystem fs = journey.hdfs.fileSystem();
    byte[] bytes = journey.load("/s3/file", 6 * Journey.BLOCK - 5);
    long inode = journey.raid("/s3/file", "rs-6-3");
    LocatedStripe stripe = journey.stripes(inode).get(0);
    fs.allowSnapshot(new Path("/s3"));
    Path snapshot = fs.createSnapshot(new Path("/s3"), "before");
    assertThat(fs.rename(new Path("/s3/file"), new Path("/s3/renamed"))).isTrue();
    assertThat(fs.delete(new Path("/s3/renamed"), false)).isTrue();

    journey.settle(inode, FileState.UNRAIDING);
    assertThat(journey.record(inode).orElseThrow().progress().detail())
        .contains("renamed still holds 6 of its blocks");
    journey.delete(stripe, 1);
    journey.delete(stripe, 5);
    assertThat(journey.readDegraded(new Path(snapshot, "file").toUri().getPath())).isEqualTo(bytes);

    fs.deleteSnapshot(new Path("/s3"), "before");
    journey.settle(inode, FileState.LEFT);
    assertThat(journey.cluster().access().parity().find(inode)).isEmpty();
  }

  @Test
  @Tag("full")
  void aBlockThatAConcatMovedIntoAnotherFileIsRepairedThere() throws IOException {
    DistributedFileSystem fs = journey.hdfs.fileSystem();
    byte[] first = journey.load("/s2/first", 6 * Journey.BLOCK);
    byte[] second = journey.load("/s2/second", 6 * Journey.BLOCK);
    long inode = journey.raid("/s2/second", "rs-6-3");
    LocatedStripe stripe = journey.stripes(inode).get(0);
    fs.concat(new Path("/s2/first"), new Path[] {new Path("/s2/second")});

    journey.delete(stripe, 2);
    journey.repair(inode);

    byte[] both = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    assertThat(journey.readPlain("/s2/first")).isEqualTo(both);
  }

  @Test
  void aDaemonWithoutItsCatalogFindsEverythingAgain() throws IOException {
    byte[] bytes = journey.load("/f/forgotten", 6 * Journey.BLOCK);
    long inode = journey.raid("/f/forgotten", "rs-6-3");
    LocatedStripe stripe = journey.stripes(inode).get(0);
    journey.stopDaemon();
    journey.forgetEverything();
    journey.delete(stripe, 2);

    journey.startDaemon(StepListener.NONE);
    journey.jobs().detection().integrity().run();
    journey.jobs().select().evaluation().scan();

    assertThat(journey.record(inode))
        .hasValueSatisfying(
            file -> {
              assertThat(file.facts().path()).isEqualTo("/f/forgotten");
              assertThat(file.parity()).isPresent();
            });
    journey.repair(inode);
    assertThat(journey.readPlain("/f/forgotten")).isEqualTo(bytes);
  }

  private static List<RepairState> repairs(long inode) {
    return journey.catalog().repairs().list(Optional.empty(), 1_000).stream()
        .filter(repair -> repair.inode() == inode)
        .toList();
  }
}
