// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.journeys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsraid.blockfixer.detect.StripeHealth;
import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.BlockInput;
import io.hdfsraid.drfs.block.CorruptReplicaException;
import io.hdfsraid.drfs.block.DataNodes;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.drfs.hdfs.InodePath;
import io.hdfsraid.drfs.hdfs.ParitySettings;
import io.hdfsraid.drfs.namespace.InodeGoneException;
import io.hdfsraid.drfs.namespace.LocatedFile;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import io.hdfsraid.embedded.EmbeddedHdfs;
import io.hdfsraid.policies.Protection;
import io.hdfsraid.policies.Reason;
import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidnode.catalog.FileRecord;
import io.hdfsraid.raidnode.catalog.ScrubDepth;
import io.hdfsraid.raidnode.raiding.core.ExcessReplicas;
import io.hdfsraid.raidnode.raiding.core.UnauditedStripes;
import io.hdfsraid.raidnode.raiding.core.UnraidStep;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.zip.CRC32C;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.CorruptFileBlocks;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Ten things that one might believe of HDFS and that are false, each shown as HDFS does it, and how
 * raiding and repair come through. Should a newer HDFS behave otherwise, a test says so.
 */
@Tag("full")
class HdfsBehaviourTest {
  private static final int LENGTH = 4 * Journey.BLOCK - 99;
  private static final String CODEC = "rs-3-2";
  private static final int PAGE = 2;

  /** The fewest replicas of a block of each file when its parity was dropped. */
  private static final Map<String, Integer> REPLICAS_AT_QUARANTINE = new ConcurrentHashMap<>();

  private static Journey journey;
  private static Invariants invariants;
  private static DistributedFileSystem fs;

  @BeforeAll
  static void start() throws IOException {
    journey =
        new Journey(
            EmbeddedHdfs.builder()
                .dataNodes(9)
                .withNameNodePair()
                .set("dfs.namenode.maintenance.replication.min", "0")
                .set("dfs.namenode.max-corrupt-file-blocks-returned", Integer.toString(PAGE)));
    journey.startDaemon(
        (step, subject) -> {
          if (step == UnraidStep.RESTORED) {
            REPLICAS_AT_QUARANTINE.put(subject, fewestReplicas(subject));
          }
        });
    invariants = new Invariants(journey.hdfs, ParitySettings.defaults());
    fs = journey.hdfs.fileSystem();
  }

  private static int fewestReplicas(String subject) {
    long inode = Long.parseLong(subject.replace("inode ", ""));
    try {
      return journey.cluster().access().namespace().file(inode).orElseThrow().contents().stream()
          .mapToInt(block -> journey.hdfs.replicasThatStay(block.id()))
          .min()
          .orElseThrow();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @AfterAll
  static void stop() {
    invariants.close();
    journey.close();
  }

  @Test
  void a1TheChecksumOfAReplicaDoesNotSeeRotAndARaidedFileIsReadThroughIt() throws IOException {
    byte[] bytes = journey.load("/a1/file", LENGTH);
    LocatedBlock block = journey.file("/a1/file").blocks().get(1);
    Replica rotten = block.live().get(0);
    rot(block.block(), rotten);

    DataNodes dataNodes = journey.cluster().access().dataNodes();
    CRC32C recorded = new CRC32C();
    recorded.update(bytes, Journey.BLOCK, Journey.BLOCK);
    assertThat(dataNodes.checksum(block.block(), rotten))
        .as("what the DataNode answers about a rotten replica")
        .isEqualTo((int) recorded.getValue());
    assertThatThrownBy(() -> readAll(dataNodes, block.block(), rotten))
        .as("a full read")
        .isInstanceOf(CorruptReplicaException.class);

    long inode = raidWhateverIsMetOnTheWay("/a1/file");
    assertThat(journey.readDegraded("/a1/file")).isEqualTo(bytes);
    journey.repair(inode);
    invariants.readable("/a1/file", bytes);
  }

  @Test
  void a2TheNameNodeMayKeepTheRottenReplicaAndTheFileIsReadThroughItAndRepaired()
      throws IOException {
    byte[] bytes = journey.load("/a2/file", LENGTH);
    for (LocatedBlock block : journey.file("/a2/file").blocks().subList(0, 2)) {
      rot(block.block(), block.live().get(1));
      rot(block.block(), block.live().get(2));
    }

    long inode = raidWhateverIsMetOnTheWay("/a2/file");

    assertThat(journey.readDegraded("/a2/file")).isEqualTo(bytes);
    journey.repair(inode);
    Journey.until(
        () -> Arrays.equals(journey.readDegraded("/a2/file"), bytes), () -> "the bytes of /a2");
  }

  @Test
  void a3LoweredReplicationCannotBeTakenBackSoParityStaysUntilTheCopiesAreNew() throws IOException {
    Path plain = new Path("/a3/plain");
    journey.load(plain.toString(), 1_000);
    long block = journey.file(plain.toString()).blocks().get(0).block().id();
    fs.setReplication(plain, (short) 1);
    fs.setReplication(plain, (short) 3);
    assertThat(journey.file(plain.toString()).blocks().get(0).live())
        .as("replicas that are still listed")
        .hasSizeGreaterThan(journey.hdfs.replicasThatStay(block));
    assertThat(journey.hdfs.replicasThatStay(block))
        .as("replicas that the NameNode has not condemned, right after raising it again")
        .isEqualTo(1);

    byte[] bytes = journey.load("/a3/file", LENGTH);
    long inode = journey.file("/a3/file").inode();
    journey.jobs().select().raider().raid(inode, new Protection(CODEC, 1, 1), "test");
    journey.jobs().upkeep().reconciler().unraid(inode, "test"); // before any excess replica is gone
    journey.settle(inode, FileState.LEFT);

    assertThat(REPLICAS_AT_QUARANTINE).containsEntry("inode " + inode, 3);
    invariants.readable("/a3/file", bytes);
  }

  @Test
  void a4AnInodePathThatLeadsToAnotherFileChangesNeitherOfThem() throws IOException {
    byte[] old = journey.load("/a4/file", LENGTH);
    long inode = journey.raid("/a4/file", CODEC);
    fs.allowSnapshot(new Path("/a4"));
    fs.createSnapshot(new Path("/a4"), "s");
    fs.delete(new Path("/a4/file"), false);
    byte[] anew = journey.load("/a4/file", 1_000);

    assertThat(fs.getClient().getFileInfo(InodePath.of(inode)).getFileId())
        .as("what the path of the old inode leads to")
        .isEqualTo(journey.file("/a4/file").inode())
        .isNotEqualTo(inode);
    assertThatThrownBy(() -> journey.cluster().access().namespace().setReplication(inode, 1))
        .isInstanceOf(InodeGoneException.class);
    journey.jobs().detection().integrity().run();
    journey.jobs().upkeep().reconciler().reconcile(inode, "test");

    assertThat(journey.record(inode).orElseThrow().progress().reason()).contains(Reason.GONE);
    assertThat(journey.file("/a4/file").replication()).isEqualTo(3);
    invariants.protectedAgainstLoss("/a4/file", anew, 3);
    invariants.protectedAgainstLoss("/a4/.snapshot/s/file", old, 3);
    fs.deleteSnapshot(new Path("/a4"), "s");
    fs.disallowSnapshot(new Path("/a4"));
  }

  @Test
  void a5TheSameBlockWithTheSameLengthCanHoldOtherBytesAndIsNeverRebuiltFromItsOldParity()
      throws IOException {
    Path path = new Path("/a5/file");
    byte[] bytes = journey.load(path.toString(), LENGTH);
    long inode = journey.raid(path.toString(), CODEC);
    Block before = lastBlock(path);
    if (!fs.truncate(path, LENGTH - 1_000)) {
      Journey.until(() -> fs.isFileClosed(path), () -> "the truncation");
    }
    byte[] others = new byte[1_000];
    try (FSDataOutputStream out = fs.append(path)) {
      out.write(others);
    }
    System.arraycopy(others, 0, bytes, LENGTH - 1_000, 1_000);

    Block after = lastBlock(path);
    assertThat(after.id()).isEqualTo(before.id());
    assertThat(after.length()).isEqualTo(before.length());
    assertThat(after.generationStamp()).isGreaterThan(before.generationStamp());
    Replica only = journey.file(path.toString()).blocks().get(3).live().get(0);
    java.nio.file.Path data =
        journey.hdfs.dataFile(after.id(), journey.hdfs.dataNodeAt(only.node().address()).index());
    java.nio.file.Path away = data.resolveSibling("away");
    java.nio.file.Files.move(data, away);
    try {
      assertThatThrownBy(() -> journey.readDegraded(path.toString()))
          .as("rather no bytes than those of the old parity")
          .isInstanceOf(IOException.class);
    } finally {
      java.nio.file.Files.move(away, data);
    }

    journey.jobs().upkeep().reconciler().reconcile(inode, "test");
    assertThat(journey.file(path.toString()).replication()).isEqualTo(3);
  }

  @Test
  void a6TheBlocksOfTheSourceOfAConcatLiveOnAndGetTheirReplicasBeforeTheirParityGoes()
      throws IOException {
    byte[] bytes = journey.load("/a6/file", LENGTH);
    byte[] first = journey.load("/a6/target", Journey.BLOCK);
    fs.setReplication(new Path("/a6/target"), (short) 1);
    long inode = journey.raid("/a6/file", CODEC);
    List<Block> blocks = journey.file("/a6/file").contents();
    fs.concat(new Path("/a6/target"), new Path[] {new Path("/a6/file")});

    assertThat(journey.cluster().access().namespace().file(inode)).as("the inode").isEmpty();
    LocatedFile target = journey.file("/a6/target");
    assertThat(target.contents()).containsAll(blocks);
    assertThat(target.replication()).isEqualTo(1);
    journey.jobs().upkeep().reconciler().reconcile(inode, "test");
    assertThat(journey.cluster().access().parity().find(inode)).as("the parity").isPresent();
    assertThat(journey.file("/a6/target").replication()).isEqualTo(3);
    journey.settle(inode, FileState.LEFT);

    // Parity waited for the blocks it covers, not for the target's own.
    long own = target.contents().get(0).id();
    Journey.until(
        () -> journey.hdfs.replicasThatStay(own) == 3, () -> "three replicas of blk_" + own);

    byte[] all = EventCase.join(first, bytes);
    invariants.readable("/a6/target", all);
    invariants.protectedAgainstLoss("/a6/target", all, 3);
  }

  @Test
  void a7TheListOfLostBlocksSkipsEntriesWhenItShrinksWhileItIsRead() throws IOException {
    Set<String> lost = new LinkedHashSet<>();
    for (int i = 0; i < 3 * PAGE; i++) {
      loseSingleReplica("/a7/" + i);
      lost.add("/a7/" + i);
    }
    Journey.until(() -> listed().containsAll(lost), () -> lost + " to be listed: " + listed());
    assertThat(journey.cluster().losses().files()).containsKeys(lost.toArray(String[]::new));

    DFSClient client = fs.getClient();
    Set<String> seen = new LinkedHashSet<>();
    Set<Long> deleted = new HashSet<>();
    CorruptFileBlocks page = client.listCorruptFileBlocks("/a7", null);
    while (page.getFiles().length > 0) {
      for (String file : page.getFiles()) {
        seen.add(file);
        journey.file(file).blocks().forEach(block -> deleted.add(block.block().id()));
        fs.delete(new Path(file), false);
      }
      // A thread of the NameNode removes the blocks of deleted files later. Until then the list
      // leaves them out, but the reader's cookie still counts them.
      Journey.until(
          () -> deleted.stream().noneMatch(journey.hdfs::knowsBlock),
          () -> "the blocks of " + seen + " to be removed");
      page = client.listCorruptFileBlocks("/a7", page.getCookie());
    }
    assertThat(seen).as("seen by who repairs while reading the list").isNotEmpty();
    assertThat(lost).as("what there was to see").hasSizeGreaterThan(seen.size());
  }

  @Test
  void a8TheListNamesThePathOfALostBlockThoughAnotherFileIsThereNow() throws IOException {
    fs.mkdirs(new Path("/a8"));
    fs.allowSnapshot(new Path("/a8"));
    journey.load("/a8/file", 1_000);
    keepOneReplica("/a8/file");
    fs.createSnapshot(new Path("/a8"), "s");
    LocatedBlock block = journey.file("/a8/file").blocks().get(0);
    fs.delete(new Path("/a8/file"), false);
    byte[] anew = journey.load("/a8/file", 2_000);
    rot(block.block(), block.live().get(0));
    assertThatThrownBy(() -> journey.readPlain("/a8/.snapshot/s/file"))
        .isInstanceOf(IOException.class);

    Journey.until(() -> listed().contains("/a8/file"), () -> "/a8/file to be listed: " + listed());
    journey.jobs().detection().reportedLosses().run();
    assertThat(journey.catalog().repairs().list(Optional.empty(), 1_000))
        .as("losses of the file that is there now")
        .noneMatch(repair -> repair.path().equals("/a8/file"));
    journey.jobs().repair().job().run();

    invariants.protectedAgainstLoss("/a8/file", anew, 3);
    invariants.readable("/a8/file", anew);
    fs.deleteSnapshot(new Path("/a8"), "s");
    fs.disallowSnapshot(new Path("/a8"));
  }

  @Test
  void a9ASoleReplicaInMaintenanceIsNowhereListedAndYetFoundAndReadThrough() throws IOException {
    byte[] bytes = journey.load("/a9/file", LENGTH);
    long inode = journey.raid("/a9/file", CODEC);
    LocatedStripe stripe = journey.stripes(inode).get(0);
    int node = journey.nodeOf(stripe, 0);
    journey.hdfs.startMaintenance(node);
    try {
      Journey.until(
          () -> journey.file("/a9/file").blocks().stream().anyMatch(LocatedBlock::isLost),
          () -> "no location to be told of the block in maintenance");
      assertThat(listed()).doesNotContain("/a9/file");

      assertThat(journey.readDegraded("/a9/file")).isEqualTo(bytes);
      assertThat(journey.health(inode))
          .extracting(StripeHealth::state)
          .as("found without the list")
          .contains(StripeHealth.State.DEGRADED);
    } finally {
      journey.hdfs.putInService(node);
    }
    Journey.until(() -> Arrays.equals(journey.readDegraded("/a9/file"), bytes), () -> "the bytes");
  }

  @Test
  void a10AfterAFailoverExcessReplicasStayUntilFullReportsAndNoStepBelievesThem()
      throws IOException {
    byte[] in = journey.load("/a10/in", LENGTH);
    byte[] out = journey.load("/a10/out", LENGTH);
    long outInode = journey.raid("/a10/out", CODEC);
    journey.hdfs.failOver();

    long inInode = journey.file("/a10/in").inode();
    journey.jobs().select().raider().raid(inInode, new Protection(CODEC, 1, 1), "test");
    journey.jobs().upkeep().reconciler().unraid(outInode, "test");
    Journey.until(
        () ->
            journey.file("/a10/out").blocks().stream().allMatch(block -> block.live().size() == 3),
        () -> "the replicas of /a10/out to be copied");
    journey.jobs().upkeep().reconciler().reconcile(outInode, "test");
    journey.jobs().upkeep().reconciler().reconcile(inInode, "test");

    assertThat(journey.file("/a10/in").blocks())
        .as("excess replicas are still there")
        .allSatisfy(block -> assertThat(block.live()).hasSizeGreaterThan(1));
    assertThat(status(inInode)).isEqualTo(FileState.REDUCED);
    assertThat(status(outInode))
        .as("replicas that the new NameNode has not heard of in full do not count")
        .isEqualTo(FileState.UNRAIDING);
    try {
      requestBlockReports(inInode);
      journey.settle(inInode, FileState.RAIDED);
    } finally {
      journey.hdfs.triggerBlockReports(); // or nothing more is dropped in the other tests
    }
    journey.settle(outInode, FileState.LEFT);
    invariants.readable("/a10/in", in);
    invariants.protectedAgainstLoss("/a10/in", in, 3);
    invariants.protectedAgainstLoss("/a10/out", out, 3);
  }

  // Helpers

  /** Has the daemon request the reports for which the NameNode waits. */
  private static void requestBlockReports(long inode) throws IOException {
    UnauditedStripes unaudited = journey.jobs().raiding().pipelines().unaudited();
    // An audit looks at one block, of which the NameNode may have heard.
    Journey.until(
        () -> {
          journey.jobs().upkeep().reconciler().reconcile(inode, "test");
          return unaudited.excess().filter(ExcessReplicas::awaitReports).isPresent();
        },
        () -> "excess replicas that stay until reports; there are " + unaudited.excess());
    ExcessReplicas excess = unaudited.excess().orElseThrow();
    assertThat(excess.bytes()).isPositive();
    journey.clock.setOff(Duration.ofMinutes(3));
    try {
      for (int i = 0; i < excess.nodes().size(); i++) {
        journey.jobs().upkeep().blockReports().run();
      }
    } finally {
      journey.clock.setOff(Duration.ZERO);
    }
  }

  private static FileState status(long inode) {
    return journey.record(inode).map(FileRecord::state).orElseThrow();
  }

  private static Block lastBlock(Path path) throws IOException {
    List<Block> blocks = journey.file(path.toString()).contents();
    return blocks.get(blocks.size() - 1);
  }

  /** On its disk; the checksum file stays as it is. */
  private static void rot(Block block, Replica replica) throws IOException {
    journey.hdfs.corruptReplica(
        block.id(), journey.hdfs.dataNodeAt(replica.node().address()).index());
  }

  private static void readAll(DataNodes dataNodes, Block block, Replica replica)
      throws IOException {
    try (BlockInput in = dataNodes.open(block, replica, 0, block.length())) {
      in.readFully(ByteBuffer.allocate((int) block.length()));
    }
  }

  /**
   * A rotten replica that is met while encoding is reported, and the file left until it is healed.
   */
  private static long raidWhateverIsMetOnTheWay(String path) throws IOException {
    long inode = journey.file(path).inode();
    Journey.until(
        () -> {
          if (journey.cluster().access().parity().find(inode).isEmpty()) {
            journey.jobs().select().raider().raid(inode, new Protection(CODEC, 1, 1), "test");
          } else {
            journey.jobs().upkeep().reconciler().reconcile(inode, "test");
          }
          if (waitsForRepair(inode)) {
            // HDFS moves no rotten replica. The daemon reads what is newly raided first. Or the
            // NameNode has heard already that the only replica left is rotten.
            journey.jobs().scrub().requested(ScrubDepth.DEEP).scrub(inode, "test");
            journey.jobs().repair().job().run(inode, "test", stripe -> {});
          }
          return status(inode) == FileState.RAIDED;
        },
        () -> path + " to be raided: " + journey.record(inode));
    return inode;
  }

  private static boolean waitsForRepair(long inode) {
    return journey
        .record(inode)
        .map(file -> file.progress().detail())
        .filter(detail -> detail.contains("its move was refused") || detail.endsWith(" is LOST"))
        .isPresent();
  }

  private static void keepOneReplica(String path) throws IOException {
    // Or the NameNode keeps one that is reported later, and lets the one that is listed go.
    awaitReplicas(path, journey.file(path).replication());
    fs.setReplication(new Path(path), (short) 1);
    awaitReplicas(path, 1);
  }

  private static void awaitReplicas(String path, int replicas) throws IOException {
    Journey.until(
        () ->
            journey.file(path).blocks().stream().allMatch(block -> block.live().size() == replicas),
        () -> "%d replicas of %s".formatted(replicas, path));
  }

  private static void loseSingleReplica(String path) throws IOException {
    journey.load(path, 1_000);
    keepOneReplica(path);
    LocatedBlock block = journey.file(path).blocks().get(0);
    rot(block.block(), block.live().get(0));
    assertThatThrownBy(() -> journey.readPlain(path)).isInstanceOf(IOException.class);
  }

  private static List<String> listed() throws IOException {
    List<String> all = new ArrayList<>();
    CorruptFileBlocks page = fs.getClient().listCorruptFileBlocks("/", null);
    while (page.getFiles().length > 0) {
      all.addAll(List.of(page.getFiles()));
      page = fs.getClient().listCorruptFileBlocks("/", page.getCookie());
    }
    return all;
  }
}
