// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.io.IOException;
import java.net.ConnectException;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.fs.ChecksumException;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hdfs.BlockMissingException;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedHdfsTest {
  private static final int BLOCK = 64 << 10;
  private static EmbeddedHdfs hdfs;

  @BeforeAll
  static void start() throws IOException {
    hdfs = EmbeddedHdfs.builder().dataNodes(4).racks(2).blockSize(BLOCK).start();
  }

  @AfterAll
  static void close() throws IOException {
    hdfs.close();
  }

  @AfterEach
  void bringEverybodyBack() throws IOException {
    for (FileStatus file : hdfs.fileSystem().listStatus(new Path("/"))) {
      hdfs.fileSystem().delete(file.getPath(), true);
    }
    for (EmbeddedNode node : hdfs.dataNodes()) {
      if (!hdfs.isRunning(node.index())) {
        hdfs.restartDataNode(node.index());
      }
    }
  }

  @Test
  void theNameNodeKnowsEveryNodeByItsAddressAndRack() throws IOException {
    assertThat(live())
        .extracting(DatanodeInfo::getXferAddr, DatanodeInfo::getNetworkLocation)
        .containsExactlyInAnyOrderElementsOf(
            hdfs.dataNodes().stream()
                .map(node -> tuple(node.xferAddress(), "/rack" + node.index() % 2))
                .toList());
    assertThat(hdfs.dataNodes()).extracting(EmbeddedNode::index).containsExactly(0, 1, 2, 3);
  }

  @Test
  void whatIsWrittenIsReadAndLiesOnAsManyDisksAsReplicas(TestInfo test) throws IOException {
    Written file = write(test, 3, 2 * BLOCK + 5);

    assertThat(read(file)).isEqualTo(file.bytes);
    for (LocatedBlock block : file.blocks()) {
      assertThat(hdfs.replicasOnDisk(block.getBlock().getBlockId())).hasSize(3);
    }
  }

  @Test
  void aCorruptReplicaIsFoundByTheReaderOnly(TestInfo test) throws Exception {
    Written file = write(test, 1, BLOCK);
    long block = file.blocks().get(0).getBlock().getBlockId();
    int node = hdfs.replicasOnDisk(block).get(0).index();

    hdfs.corruptReplica(block, node);

    hdfs.triggerHeartbeats();
    hdfs.triggerBlockReports();
    hdfs.runDirectoryScanner(node);
    assertThat(corruptFiles()).doesNotContain(file.path.toUri().getPath());
    assertThatThrownBy(() -> read(file)).hasStackTraceContaining(ChecksumException.class.getName());
    eventually("corrupt", () -> corruptFiles().contains(file.path.toUri().getPath()));
  }

  @Test
  void atMostSixteenBytesFromTheOffsetAreFlipped(TestInfo test) throws Exception {
    Written file = write(test, 1, BLOCK);
    long block = file.blocks().get(0).getBlock().getBlockId();
    int node = hdfs.replicasOnDisk(block).get(0).index();

    hdfs.corruptReplica(block, node, 0);
    hdfs.corruptReplica(block, node, BLOCK - 1);

    byte[] expected = file.bytes.clone();
    for (int i = 0; i < 16; i++) {
      expected[i] = (byte) ~expected[i];
    }
    expected[BLOCK - 1] = (byte) ~expected[BLOCK - 1];
    try (Stream<java.nio.file.Path> files = Files.walk(hdfs.directory())) {
      java.nio.file.Path data =
          files.filter(f -> f.endsWith("blk_" + block)).findFirst().orElseThrow();
      assertThat(data).hasBinaryContent(expected);
    }
  }

  @Test
  void aDeletedReplicaIsMissedByTheDirectoryScanner(TestInfo test) throws Exception {
    Written file = write(test, 1, BLOCK);
    long block = file.blocks().get(0).getBlock().getBlockId();
    int node = hdfs.replicasOnDisk(block).get(0).index();
    long before = hdfs.bytesOnDisk(node);

    hdfs.deleteReplica(block, node);

    assertThat(hdfs.replicasOnDisk(block)).isEmpty();
    assertThat(before - hdfs.bytesOnDisk(node)).isGreaterThan(BLOCK); // its checksums are gone, too
    hdfs.triggerBlockReports();
    assertThat(file.blocks().get(0).getLocations()).hasSize(1);
    hdfs.runDirectoryScanner(node);
    hdfs.triggerBlockReports();
    eventually("missed", () -> file.blocks().get(0).getLocations().length == 0);
  }

  @Test
  void damageToAReplicaThatIsNotThereIsAnError(TestInfo test) throws IOException {
    Written file = write(test, 1, BLOCK);
    long block = file.blocks().get(0).getBlock().getBlockId();
    EmbeddedNode holder = hdfs.replicasOnDisk(block).get(0);
    int other = (holder.index() + 1) % 4;

    assertThatThrownBy(() -> hdfs.deleteReplica(block, other))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("DataNode %d has no file of block %d", other, block)
        .hasMessageContaining(holder.uuid());
  }

  @Test
  void aStoppedNodeIsBelievedAliveUntilDeclaredDead(TestInfo test) throws Exception {
    Written file = write(test, 1, BLOCK);
    long block = file.blocks().get(0).getBlock().getBlockId();
    EmbeddedNode node = hdfs.replicasOnDisk(block).get(0);

    hdfs.stopDataNode(node.index());
    assertThat(live()).hasSize(4);
    assertThat(hdfs.replicasOnDisk(block)).containsExactly(node);
    assertThatThrownBy(() -> read(file)).isInstanceOf(BlockMissingException.class);

    hdfs.declareDead(node.index());
    assertThat(live()).hasSize(3);
    eventually("lost", () -> file.blocks().get(0).getLocations().length == 0);

    hdfs.restartDataNode(node.index());
    assertThat(hdfs.dataNodes().get(node.index())).isEqualTo(node);
    assertThat(live()).hasSize(4);
    assertThat(read(file)).isEqualTo(file.bytes);
  }

  @Test
  void aRunningNodeIsNotDeclaredDead() {
    assertThatThrownBy(() -> hdfs.declareDead(0))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("DataNode 0 is running");
  }

  @Test
  void bytesAreCountedWhereTheyAreReadAlsoAcrossARestart(TestInfo test) throws Exception {
    Written file = write(test, 1, BLOCK);
    int node = hdfs.replicasOnDisk(file.blocks().get(0).getBlock().getBlockId()).get(0).index();
    long before = hdfs.bytesRead(node);
    long total = hdfs.bytesRead();

    read(file);

    eventually("counted", () -> hdfs.bytesRead(node) - before >= BLOCK);
    long after = hdfs.bytesRead(node);
    assertThat(hdfs.bytesRead() - total).isEqualTo(after - before);
    hdfs.stopDataNode(node);
    assertThat(hdfs.bytesRead(node)).isEqualTo(after);
    hdfs.restartDataNode(node);
    assertThat(hdfs.bytesRead(node)).isEqualTo(after);
  }

  @Test
  void bytesAreCountedWhereTheyAreWrittenAlsoAcrossARestart(TestInfo test) throws Exception {
    long before = hdfs.bytesWritten();

    Written file = write(test, 2, BLOCK + 1);

    // Or more: the NameNode may be copying what other tests have hurt.
    long written = hdfs.bytesWritten();
    assertThat(written - before).isGreaterThanOrEqualTo(2 * (BLOCK + 1L));
    int node = hdfs.replicasOnDisk(file.blocks().get(0).getBlock().getBlockId()).get(0).index();
    hdfs.stopDataNode(node);
    hdfs.restartDataNode(node);
    assertThat(hdfs.bytesWritten()).isGreaterThanOrEqualTo(written);
  }

  @Test
  void callsOfTheNameNodeAreCountedByNameAndThoseOfDataNodesAreNot() throws Exception {
    hdfs.triggerHeartbeats();
    long before = hdfs.nameNodeCalls().getOrDefault("getFileInfo", 0L);

    for (int i = 0; i < 5; i++) {
      assertThat(hdfs.fileSystem().getFileStatus(new Path("/")).isDirectory()).isTrue();
    }

    eventually("counted", () -> hdfs.nameNodeCalls().get("getFileInfo") - before == 5);
    assertThat(hdfs.nameNodeCalls()).doesNotContainKeys("sendHeartbeat", "blockReport");
  }

  @Test
  @Tag("full")
  void anEmptyNodeTakesThePlaceOfADeadOneAndReadsCanBeLimitedAlsoOnIt() throws Exception {
    try (EmbeddedHdfs small = EmbeddedHdfs.builder().dataNodes(3).blockSize(BLOCK).start()) {
      small.stopDataNode(0);
      small.declareDead(0);
      small.addDataNodes(1);
      small.limitReads(4 * BLOCK);
      small.stopDataNode(1);
      small.declareDead(1);
      small.stopDataNode(2);
      small.declareDead(2);
      small.addDataNodes(1);

      assertThat(small.replicaFiles(4)).isEmpty();
      byte[] bytes = new byte[8 * BLOCK];
      Path file = new Path("/limited");
      try (FSDataOutputStream out = small.fileSystem().create(file, (short) 2)) {
        out.write(bytes);
      }
      assertThat(small.replicaFiles(3)).hasSize(8);
      assertThat(small.replicaFiles(4)).hasSize(8);
      long start = System.nanoTime();
      try (FSDataInputStream in = small.fileSystem().open(file)) {
        in.readFully(new byte[bytes.length]);
      }
      Duration limited = Duration.ofNanos(System.nanoTime() - start);
      small.limitReads(0);
      start = System.nanoTime();
      try (FSDataInputStream in = small.fileSystem().open(file)) {
        in.readFully(new byte[bytes.length]);
      }
      assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(limited);
    }
  }

  /**
   * On nodes of its own: elsewhere, what other tests deleted is freed in the middle of this one.
   */
  @Test
  @Tag("full")
  void usedSpaceGrowsByEveryReplica() throws Exception {
    try (EmbeddedHdfs fresh = EmbeddedHdfs.builder().dataNodes(3).blockSize(BLOCK).start()) {
      long before = fresh.dfsUsed();
      Path file = new Path("/grows");
      try (FSDataOutputStream out = fresh.fileSystem().create(file, (short) 3)) {
        out.write(random(4 * BLOCK));
      }

      assertThat(fresh.dfsUsed() - before).isBetween(12L * BLOCK, 12L * BLOCK * 103 / 100);
      // A replica that is reported while its file is being deleted stays until its DataNode reports
      // all, after six hours (BlockManager#addStoredBlock).
      eventually("reported", () -> replicas(fresh.fileSystem(), file) == 12);
      fresh.fileSystem().delete(file, false);
      // DataNodes count what they use at intervals and estimate in between, so the disks tell.
      eventually(
          "freed",
          () -> IntStream.range(0, 3).allMatch(node -> fresh.replicaFiles(node).isEmpty()));
    }
  }

  @Test
  void theNameNodeComesBackOnItsPortWithAllReplicas(TestInfo test) throws Exception {
    Written file = write(test, 2, 3 * BLOCK);
    int port = hdfs.uri().getPort();
    hdfs.stopDataNode(3);

    hdfs.restartNameNode();

    assertThat(hdfs.uri().getPort()).isEqualTo(port);
    assertThat(live()).hasSize(3);
    assertThat(read(file)).isEqualTo(file.bytes);
    hdfs.declareDead(3); // the new NameNode has never heard of it: nothing to do
  }

  @Test
  @Tag("full")
  void storageThatIsKeptComesUpAgainOnTheWantedPortWithTokens(@TempDir java.nio.file.Path directory)
      throws Exception {
    EmbeddedHdfs.Builder builder =
        EmbeddedHdfs.builder()
            .dataNodes(2)
            .blockSize(BLOCK)
            .withBlockTokens()
            .directory(directory)
            .keepExisting()
            .set("dfs.namenode.accesstime.precision", "1");
    byte[] bytes = random(BLOCK + 1);
    Path path = new Path("/kept");
    int port;
    try (EmbeddedHdfs first = builder.start()) {
      port = first.uri().getPort();
      try (FSDataOutputStream out = first.fileSystem().create(path, (short) 2)) {
        out.write(bytes);
      }
      assertThat(block(first, path).getBlockToken().getIdentifier()).isNotEmpty();
      assertThat(first.configuration().get("dfs.namenode.accesstime.precision")).isEqualTo("1");
      assertThatThrownBy(
              () -> first.fileSystem().getClient().getNamenode().getBlockLocations("/no", 0, 1))
          .hasMessageContaining("/no");
    }
    try (EmbeddedHdfs second = builder.nameNodePort(port).start()) {
      assertThat(second.uri().getPort()).isEqualTo(port);
      assertThat(second.directory()).isEqualTo(directory);
      try (FSDataInputStream in = second.fileSystem().open(path)) {
        assertThat(in.readAllBytes()).isEqualTo(bytes);
      }
    }
    assertThat(directory).isNotEmptyDirectory();
    assertThatThrownBy(() -> EmbeddedHdfs.builder().directory(directory).start())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("is not empty");
    assertThat(directory).isNotEmptyDirectory();
  }

  @Test
  @Tag("full")
  void aTemporaryDirectoryIsGoneAfterwards() throws Exception {
    java.nio.file.Path directory;
    URI uri;
    try (EmbeddedHdfs brief = EmbeddedHdfs.builder().dataNodes(1).start()) {
      directory = brief.directory();
      uri = brief.uri();
      assertThat(directory).isNotEmptyDirectory();
    }
    assertThat(directory).doesNotExist();
    assertThatThrownBy(() -> new Socket(uri.getHost(), uri.getPort()).close())
        .isInstanceOf(ConnectException.class);
  }

  @Test
  @Tag("full")
  void anIntervalDecidesWhoIsDead() throws Exception {
    try (EmbeddedHdfs brief =
        EmbeddedHdfs.builder()
            .dataNodes(1)
            .heartbeat(Duration.ofSeconds(1))
            .staleAfter(Duration.ofSeconds(2))
            .deadAfter(Duration.ofMillis(10_500))
            .start()) {
      brief.stopDataNode(0);
      eventually(
          "dead", () -> brief.fileSystem().getDataNodeStats(DatanodeReportType.LIVE).length == 0);
    }
  }

  @Test
  void aDeadIntervalShorterThanTenHeartbeatsIsRefused() {
    assertThatThrownBy(() -> EmbeddedHdfs.builder().deadAfter(Duration.ofSeconds(5)).start())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("10 heartbeats");
  }

  @Test
  void theEmptyWebappsWinOverThoseOfTheMiniCluster() {
    assertThat(getClass().getClassLoader().getResource("webapps/hdfs").toString())
        .contains("embedded")
        .doesNotContain("minicluster");
  }

  /** HDFS gives half a second's bytes at once, which is more than this file. */
  @Test
  void readsAreLimitedInShortStepsAlsoOfOneBlock(TestInfo test) throws Exception {
    Written file = write(test, 1, BLOCK);
    hdfs.limitReads(4L * BLOCK, Duration.ofMillis(20));
    Duration limited = timeToRead(file);
    hdfs.limitReads(4L * BLOCK);
    assertThat(timeToRead(file)).isLessThan(limited);
    hdfs.limitReads(0);

    assertThat(limited).isBetween(Duration.ofMillis(200), Duration.ofSeconds(5));
  }

  @Test
  void aSlowReplicaIsReadLateEachTimeAndAnotherOneIsNot(TestInfo test) throws Exception {
    Written file = write(test, 1, 2 * BLOCK);
    Duration delay = Duration.ofMillis(300);
    LocatedBlock second = file.blocks().get(1);
    try (SlowReplicas slow = new SlowReplicas(second.getBlock().getBlockId(), delay);
        FSDataInputStream in = hdfs.fileSystem().open(file.path)) {
      in.readFully(0, new byte[100]);
      assertThat(slow.delayed()).isZero();
      for (int read = 1; read <= 2; read++) {
        long start = System.nanoTime();
        in.readFully(BLOCK, new byte[100]);
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(delay);
        assertThat(slow.delayed()).isEqualTo(read);
      }
    }
  }

  private static Duration timeToRead(Written file) throws IOException {
    long start = System.nanoTime();
    assertThat(read(file)).isEqualTo(file.bytes);
    return Duration.ofNanos(System.nanoTime() - start);
  }

  private static final class Written {
    final Path path;
    final byte[] bytes;

    Written(Path path, byte[] bytes) {
      this.path = path;
      this.bytes = bytes;
    }

    List<LocatedBlock> blocks() throws IOException {
      try (HdfsDataInputStream in = (HdfsDataInputStream) hdfs.fileSystem().open(path)) {
        return in.getAllBlocks();
      }
    }
  }

  private static Written write(TestInfo test, int replication, int length) throws IOException {
    Path path = new Path("/" + test.getTestMethod().orElseThrow().getName());
    byte[] bytes = random(length);
    try (FSDataOutputStream out = hdfs.fileSystem().create(path, (short) replication)) {
      out.write(bytes);
    }
    return new Written(path, bytes);
  }

  private static byte[] random(int length) {
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    return bytes;
  }

  private static byte[] read(Written file) throws IOException {
    try (FSDataInputStream in = hdfs.fileSystem().open(file.path)) {
      return in.readAllBytes();
    }
  }

  private static LocatedBlock block(EmbeddedHdfs of, Path path) throws IOException {
    try (HdfsDataInputStream in = (HdfsDataInputStream) of.fileSystem().open(path)) {
      return in.getAllBlocks().get(0);
    }
  }

  private static List<DatanodeInfo> live() throws IOException {
    return List.of(hdfs.fileSystem().getDataNodeStats(DatanodeReportType.LIVE));
  }

  private static List<String> corruptFiles() throws IOException {
    DistributedFileSystem fileSystem = hdfs.fileSystem();
    RemoteIterator<Path> corrupt = fileSystem.listCorruptFileBlocks(new Path("/"));
    List<String> paths = new ArrayList<>();
    while (corrupt.hasNext()) {
      paths.add(corrupt.next().toUri().getPath());
    }
    return paths;
  }

  private static int replicas(DistributedFileSystem fileSystem, Path file) throws IOException {
    return Arrays.stream(fileSystem.getFileBlockLocations(file, 0, 4L * BLOCK))
        .mapToInt(block -> block.getStorageIds().length)
        .sum();
  }

  private static void eventually(String what, Callable<Boolean> condition) throws Exception {
    long end = System.nanoTime() + Duration.ofMinutes(2).toNanos();
    while (!condition.call()) {
      assertThat(System.nanoTime()).as(what).isLessThan(end);
      Thread.sleep(20);
    }
  }
}
