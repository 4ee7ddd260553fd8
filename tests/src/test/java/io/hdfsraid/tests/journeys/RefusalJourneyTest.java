// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.journeys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.hdfs.ParitySettings;
import io.hdfsraid.drfs.namespace.UnconfirmedOwnershipException;
import io.hdfsraid.drfs.parity.RefusedException;
import io.hdfsraid.embedded.EmbeddedNode;
import io.hdfsraid.policies.Protection;
import io.hdfsraid.policies.Reason;
import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidnode.catalog.FileProgress;
import io.hdfsraid.raidnode.hdfs.HdfsCluster;
import io.hdfsraid.raidnode.raiding.core.RaidStep;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.SafeModeAction;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * What a real HDFS does not let be raided is left, with the reason, and nothing of it stays; and so
 * is what another daemon raids.
 */
class RefusalJourneyTest {
  private static final Protection PROTECTION = new Protection("rs-3-2", 1, 1);

  private static Journey journey;
  private static DistributedFileSystem fs;

  /** Whether parity units come to lie on one node while they are written. */
  private static boolean crowdsDrafts;

  @BeforeAll
  static void start() throws IOException {
    journey = new Journey(7);
    journey.startDaemon(
        (step, subject) -> {
          if (step == RaidStep.ENCODED && crowdsDrafts) {
            crowdDraft();
          }
        });
    fs = journey.hdfs.fileSystem();
  }

  @AfterAll
  static void stop() {
    journey.close();
  }

  /** Tries to raid a file; where it then stands. */
  private static FileProgress attempt(String path) throws IOException {
    long inode = journey.file(path).inode();
    journey.jobs().select().raider().raid(inode, PROTECTION, "test");
    return journey.record(inode).orElseThrow().progress();
  }

  private static void assertLeft(String path, Reason reason, String detail) throws IOException {
    FileProgress progress = attempt(path);
    assertThat(progress.state()).as("%s", progress).isEqualTo(FileState.LEFT);
    assertThat(progress.reason()).as("%s", progress).contains(reason);
    assertThat(progress.detail()).contains(detail);
    assertThat(journey.file(path).replication()).as("replication").isEqualTo(3);
    journey.jobs().upkeep().cleanUp().run();
    assertThat(fs.listStatus(new Path("/.raid/tmp"))).as("drafts").isEmpty();
  }

  /** Moves a parity unit to the node of another one, as HDFS may place it when a node dies. */
  private static void crowdDraft() {
    try {
      List<LocatedBlock> units = unitsOfDraft();
      DataNode shared = units.get(0).live().get(0).node();
      LocatedBlock other = units.get(1);
      journey.cluster().mover().move(other.block(), other.live().get(0), shared);
      Journey.until(
          () ->
              unitsOfDraft().stream()
                  .flatMap(unit -> unit.live().stream())
                  .allMatch(replica -> replica.node().equals(shared)),
          () -> "one node in " + units);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<LocatedBlock> unitsOfDraft() throws IOException {
    List<LocatedBlock> units = new ArrayList<>();
    RemoteIterator<LocatedFileStatus> files = fs.listFiles(new Path("/.raid/tmp"), true);
    while (files.hasNext()) {
      units.addAll(journey.file(files.next().getPath().toUri().getPath()).blocks());
    }
    return units;
  }

  @Test
  void parityUnitsThatHdfsHasPutOnOneNodeArePartedBeforeTheyAreCommitted() throws IOException {
    journey.load("/crowded", 2 * Journey.BLOCK);
    crowdsDrafts = true;
    try {
      assertThat(attempt("/crowded").state()).isEqualTo(FileState.REDUCED);
    } finally {
      crowdsDrafts = false;
    }
    long inode = journey.file("/crowded").inode();
    journey.settle(inode, FileState.RAIDED);
    assertThat(
            journey.cluster().access().parity().find(inode).orElseThrow().file().blocks().stream()
                .map(unit -> unit.live().get(0).node()))
        .hasSize(2)
        .doesNotHaveDuplicates();
  }

  @Test
  void aSecondDaemonWhichTakesNothingFromTheFirst() throws IOException {
    assertThatThrownBy(
            () ->
                HdfsCluster.connect(
                    journey.hdfs.uri(),
                    journey.hdfs.configuration(),
                    ParitySettings.defaults(),
                    Clock.systemUTC()))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("Another RaidNode works on this cluster: /.raid/owner")
        .hasMessageContaining(journey.cluster().holder());

    journey.cluster().access().fence().pass();
  }

  @Test
  void aFileThatIsOpenForWriting() throws IOException {
    try (FSDataOutputStream out = fs.create(new Path("/open"))) {
      out.write(new byte[2 * Journey.BLOCK]);
      out.hsync();
      assertLeft("/open", Reason.UNDER_CONSTRUCTION, "open for writing");
    }
  }

  @Test
  void aFileThatIsOpenForWritingAndHasNoBlockYet() throws IOException {
    try (OutputStream out = fs.create(new Path("/opened"))) {
      assertLeft("/opened", Reason.UNDER_CONSTRUCTION, "open for writing");
      out.write(1);
    }
  }

  @Test
  void aFileOfTheErasureCodingOfHdfs() throws IOException {
    Path directory = new Path("/striped");
    fs.mkdirs(directory);
    fs.enableErasureCodingPolicy("XOR-2-1-1024k");
    fs.setErasureCodingPolicy(directory, "XOR-2-1-1024k");
    Path file = new Path(directory, "f");
    try (OutputStream out = fs.create(file, true, 4096, (short) 1, 1 << 20)) {
      out.write(new byte[3 << 20]);
    }

    FileProgress progress = attempt("/striped/f");

    assertThat(progress.reason()).contains(Reason.STRIPED);
    assertThat(journey.cluster().access().parity().find(journey.file("/striped/f").inode()))
        .isEmpty();
  }

  @Test
  void aFileWithALostBlock() throws IOException {
    journey.load("/lost", 3 * Journey.BLOCK);
    LocatedBlock block = journey.file("/lost").blocks().get(1);
    List<EmbeddedNode> holders = journey.hdfs.replicasOnDisk(block.block().id());
    for (EmbeddedNode node : holders) {
      journey.hdfs.deleteReplica(block.block().id(), node.index());
    }
    for (EmbeddedNode node : holders) {
      journey.hdfs.runDirectoryScanner(node.index());
    }
    Journey.until(
        () -> journey.file("/lost").blocks().get(1).live().isEmpty(),
        () -> "the NameNode to hear that the block is lost");

    assertLeft("/lost", Reason.MISSING_BLOCKS, "has no live replica");
  }

  @Test
  void aParityForWhichAQuotaLeavesNoRoom() throws IOException {
    journey.load("/quota", 3 * Journey.BLOCK);
    Path root = new Path("/.raid");
    fs.setQuota(root, HdfsConstants.QUOTA_DONT_SET, Journey.BLOCK);
    try {
      assertLeft("/quota", Reason.QUOTA_EXCEEDED, "quota of /.raid is exceeded");
    } finally {
      fs.setQuota(root, HdfsConstants.QUOTA_DONT_SET, HdfsConstants.QUOTA_RESET);
    }
  }

  @Test
  void aNameNodeInSafeModeAndTheFileIsRaidedWhenItHasLeftIt() throws IOException {
    journey.load("/safe", 3 * Journey.BLOCK);
    Optional<FileProgress> attempted = Optional.empty();
    while (attempted.isEmpty()) {
      attempted = attemptInSafeMode("/safe");
    }
    FileProgress progress = attempted.get();
    assertThat(progress.reason()).as("%s", progress).contains(Reason.READ_ONLY);
    assertThat(progress.detail()).contains("safe mode");

    journey.raid("/safe", "rs-3-2");
  }

  /**
   * Returns where the file then stands; empty if the daemon meets the safe mode as it confirms its
   * ownership, which it does every three seconds, and so before a step of the raiding.
   */
  private static Optional<FileProgress> attemptInSafeMode(String path) throws IOException {
    journey.cluster().access().fence().pass();
    fs.setSafeMode(SafeModeAction.ENTER);
    try {
      return Optional.of(attempt(path));
    } catch (UnconfirmedOwnershipException e) {
      return Optional.empty();
    } finally {
      fs.setSafeMode(SafeModeAction.LEAVE);
    }
  }

  @Test
  void aFileInASnapshotIsLeftUnlessItIsAskedForAndThenSavesWhenTheSnapshotGoes()
      throws IOException {
    Path directory = new Path("/snapshotted");
    fs.mkdirs(directory, new FsPermission("755"));
    fs.allowSnapshot(directory);
    journey.load("/snapshotted/f", 3 * Journey.BLOCK);
    fs.createSnapshot(directory, "s1");
    journey.load("/snapshotted/later", 3 * Journey.BLOCK);
    var listing = journey.cluster().listing();

    assertThat(
            journey
                .jobs()
                .select()
                .policies()
                .judge()
                .verdictOnRequest(listing.file("/snapshotted/f"), PROTECTION)
                .whyNot())
        .contains(Reason.IN_SNAPSHOT);
    assertThat(
            journey
                .jobs()
                .select()
                .policies()
                .judge()
                .verdictOnRequest(listing.file("/snapshotted/later"), PROTECTION)
                .whyNot())
        .as("one that is newer than the snapshot")
        .isNotEqualTo(Optional.of(Reason.IN_SNAPSHOT));

    // As a policy with raidSnapshotted has it raided.
    long inode = journey.file("/snapshotted/f").inode();
    journey.jobs().select().raider().raid(inode, PROTECTION, "test");
    journey.settle(inode, FileState.REDUCED);
    journey.jobs().upkeep().reconciler().reconcile(inode, "test");

    assertThat(journey.record(inode).orElseThrow().progress().reason())
        .contains(Reason.HELD_BY_SNAPSHOT);
    assertThat(replicas(inode)).containsOnly(3);
    assertThat(journey.jobs().raiding().pipelines().unaudited().total())
        .as("stripes that keep others from being raided")
        .isZero();

    fs.deleteSnapshot(directory, "s1");

    Journey.until(
        () -> IntStream.of(replicas(inode)).allMatch(count -> count == 1),
        () -> "the excess replicas to go with the snapshot");
    journey.settle(inode, FileState.RAIDED);
  }

  private static int[] replicas(long inode) throws IOException {
    return journey.cluster().access().namespace().file(inode).orElseThrow().blocks().stream()
        .mapToInt(block -> block.live().size())
        .toArray();
  }
}
