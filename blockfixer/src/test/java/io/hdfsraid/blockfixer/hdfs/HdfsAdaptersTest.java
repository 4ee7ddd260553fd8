// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.blockfixer.hdfs;

import static io.hdfsraid.blockfixer.hdfs.HdfsFixture.BLOCK;
import static io.hdfsraid.blockfixer.hdfs.HdfsFixture.await;
import static io.hdfsraid.blockfixer.hdfs.HdfsFixture.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.hdfsraid.blockfixer.detect.DetectionSource;
import io.hdfsraid.blockfixer.detect.Fault;
import io.hdfsraid.blockfixer.detect.FaultClassifier;
import io.hdfsraid.blockfixer.repair.Delivery;
import io.hdfsraid.blockfixer.repair.StallLimit;
import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.DataNodes;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.drfs.block.ReplicaGoneException;
import io.hdfsraid.drfs.hdfs.HdfsDataNodes;
import io.hdfsraid.drfs.hdfs.ReadTokens;
import io.hdfsraid.embedded.EmbeddedHdfs;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class HdfsAdaptersTest {
  private static HdfsFixture hdfs;

  @BeforeAll
  static void start() throws IOException {
    hdfs =
        new HdfsFixture(
            EmbeddedHdfs.builder().dataNodes(5).racks(2).start(),
            (cluster, blockPool) -> WriteTokens.NONE);
  }

  @AfterAll
  static void stop() throws IOException {
    hdfs.close();
  }

  @Test
  void aDeliveredBlockIsListedAtItsTargetAndReadsBackEqual() throws IOException {
    for (int length : new int[] {1, 511, 512, 64_512, 64_513, BLOCK}) {
      byte[] content = bytes(length);
      Path file = hdfs.write(content);
      DataNode lostAt = length == BLOCK ? hdfs.lose(file, 0) : hdfs.spoil(file);
      LocatedBlock lost = hdfs.located(file, 0);
      DataNode target = hdfs.nodeWithout(lost, lostAt);

      hdfs.deliver(lost.block(), target, content);

      await("live at the target", () -> nodes(hdfs.located(file, 0)).contains(target));
      assertThat(hdfs.read(file)).as("%d bytes", length).isEqualTo(content);
    }
  }

  @Test
  void aNodeThatHasTheBlockRefusesIt() throws IOException {
    byte[] content = bytes(BLOCK);
    Path file = hdfs.write(content);
    DataNode holder = hdfs.onlyReplica(file).node();

    assertThatIOException()
        .isThrownBy(() -> hdfs.deliver(hdfs.located(file, 0).block(), holder, content));

    assertThat(hdfs.onlyReplica(file).node()).isEqualTo(holder);
    assertThat(hdfs.read(file)).isEqualTo(content);
  }

  @Test
  void aDeliveryThatIsNotFinishedLeavesNothing() throws IOException {
    byte[] content = bytes(BLOCK);
    Path file = hdfs.write(content);
    DataNode lostAt = hdfs.lose(file, 0);
    Block block = hdfs.located(file, 0).block();
    DataNode target = hdfs.nodeWithout(hdfs.located(file, 0), lostAt);

    try (Delivery delivery = hdfs.delivery.open(block, target, "DISK")) {
      delivery.accept(ByteBuffer.wrap(content));
      await("bytes arrive", () -> !hdfs.cluster.replicasOnDisk(block.id()).isEmpty());
    }

    await("they are dropped", () -> hdfs.cluster.replicasOnDisk(block.id()).isEmpty());
    assertThat(hdfs.located(file, 0).isLost()).isTrue();
    hdfs.deliver(block, target, content); // and the node takes it again
    await("live at the target", () -> nodes(hdfs.located(file, 0)).contains(target));
  }

  /** HDFS's own timeouts do not see to this: those of a socket that is written to are endless. */
  @Test
  @Timeout(120)
  void aNodeThatAcceptsConnectionsAndSaysNothingHoldsNobodyUp() throws IOException {
    Block block = new Block(1, 1, 64 << 20);
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        StallLimit opening = new StallLimit(Duration.ofSeconds(1));
        StallLimit asking = new StallLimit(Duration.ofSeconds(1));
        StallLimit writing = new StallLimit(Duration.ofSeconds(1))) {
      DataNode node =
          new DataNode("silent", "127.0.0.1:" + silent.getLocalPort(), "localhost", "/rack0");
      DataNodes dataNodes = new HdfsDataNodes(hdfs.fileSystem, hdfs.blockPool, ReadTokens.NONE);
      Replica replica = new Replica(node, "DISK", true);

      assertThatIOException()
          .isThrownBy(() -> opening.reads(dataNodes).open(block, replica, 0, block.length()))
          .isInstanceOf(SocketTimeoutException.class)
          .withMessageContaining(":%d) has not opened", silent.getLocalPort());
      assertThatIOException()
          .isThrownBy(() -> asking.reads(dataNodes).checksum(block, replica))
          .isInstanceOf(SocketTimeoutException.class);
      try (Delivery delivery = writing.deliveries(hdfs.delivery).open(block, node, "DISK")) {
        byte[] row = bytes(1 << 20);
        assertThatIOException()
            .isThrownBy(
                () -> {
                  for (int i = 0; i < 64; i++) {
                    delivery.accept(ByteBuffer.wrap(row));
                  }
                })
            .isInstanceOf(SocketTimeoutException.class);
      }
    }
    assertThat(Thread.currentThread().isInterrupted()).as("of its own interrupts").isFalse();
  }

  @Test
  void bytesThatAreTooFewAreNotFinished() throws IOException {
    byte[] content = bytes(BLOCK);
    Path file = hdfs.write(content);
    DataNode lostAt = hdfs.lose(file, 0);
    LocatedBlock lost = hdfs.located(file, 0);

    assertThatIOException()
        .isThrownBy(
            () ->
                hdfs.deliver(
                    lost.block(), hdfs.nodeWithout(lost, lostAt), Arrays.copyOf(content, 1000)))
        .withMessageContaining("1000 bytes of");
    assertThat(hdfs.located(file, 0).isLost()).isTrue();
  }

  @Test
  void theNameNodeTakesAnotherLengthOrGenerationStampForCorruptAlthoughTheNodeDoesNot()
      throws IOException {
    byte[] content = bytes(BLOCK);
    Path file = hdfs.write(content);
    DataNode lostAt = hdfs.lose(file, 0);
    Block block = hdfs.located(file, 0).block();

    DataNode first = hdfs.nodeWithout(hdfs.located(file, 0), lostAt);
    Block shorter = new Block(block.id(), block.generationStamp(), block.length() - 1);
    hdfs.deliver(shorter, first, Arrays.copyOf(content, BLOCK - 1));
    await("shorter is corrupt", () -> corrupt(hdfs.located(file, 0)).contains(first));

    DataNode second = hdfs.nodeWithout(hdfs.located(file, 0), lostAt);
    Block older = new Block(block.id(), block.generationStamp() - 1, block.length());
    hdfs.deliver(older, second, content);
    await("older is corrupt", () -> corrupt(hdfs.located(file, 0)).contains(second));

    DataNode third = hdfs.nodeWithout(hdfs.located(file, 0), lostAt);
    hdfs.deliver(block, third, content);
    await("the right one is live", () -> nodes(hdfs.located(file, 0)).equals(Set.of(third)));
    assertThat(hdfs.read(file)).isEqualTo(content);
  }

  @Test
  void aMovedReplicaIsAtItsNewPlaceAloneInTheEnd() throws IOException {
    byte[] content = bytes(BLOCK);
    Path file = hdfs.write(content);
    Replica from = hdfs.onlyReplica(file);
    DataNode to = hdfs.nodeWithout(hdfs.located(file, 0));

    hdfs.mover.move(hdfs.located(file, 0).block(), from, to);

    await("moved", () -> nodes(hdfs.located(file, 0)).equals(Set.of(to)));
    assertThat(hdfs.read(file)).isEqualTo(content);
  }

  @Test
  void aRottenReplicaIsNotMoved() throws IOException {
    Path file = hdfs.write(bytes(BLOCK));
    Replica from = hdfs.onlyReplica(file);
    Block block = hdfs.located(file, 0).block();
    hdfs.cluster.corruptReplica(block.id(), hdfs.index(from.node()));

    assertThatIOException()
        .isThrownBy(() -> hdfs.mover.move(block, from, hdfs.nodeWithout(hdfs.located(file, 0))));
  }

  @Test
  void everyLostBlockIsReportedOnceByTheFileItBelongsTo() throws IOException {
    Path file = hdfs.write(bytes(3 * BLOCK + 7));
    hdfs.lose(file, 1);
    hdfs.lose(file, 3);

    assertThat(hdfs.losses.files()).containsEntry(file.toString(), 2);
  }

  @Test
  void aReplicaReportedAsBadIsCorruptForTheNameNodeAndReplacedByADeliveredOne() throws IOException {
    byte[] content = bytes(BLOCK);
    Path file = hdfs.write(content);
    Replica bad = hdfs.onlyReplica(file);
    Block block = hdfs.located(file, 0).block();

    hdfs.reports.report(block, bad);

    await("corrupt", () -> corrupt(hdfs.located(file, 0)).equals(Set.of(bad.node())));
    DataNode target = hdfs.nodeWithout(hdfs.located(file, 0));
    hdfs.deliver(block, target, content);
    await("only the new one", () -> nodes(hdfs.located(file, 0)).equals(Set.of(target)));
    await("the bad one is deleted", () -> hdfs.cluster.replicasOnDisk(block.id()).size() == 1);
  }

  @Test
  void aNodeThatIsAskedForAByteOfAVanishedReplicaTellsTheNameNodeItself() throws IOException {
    byte[] content = bytes(BLOCK);
    Path file = hdfs.write(content);
    Replica gone = hdfs.onlyReplica(file);
    LocatedBlock located = hdfs.located(file, 0);
    HdfsDataNodes dataNodes = new HdfsDataNodes(hdfs.fileSystem, hdfs.blockPool, ReadTokens.NONE);
    hdfs.cluster.deleteReplica(located.block().id(), hdfs.index(gone.node()));

    assertThatIOException()
        .isThrownBy(() -> dataNodes.open(located.block(), gone, 0, 1))
        .isInstanceOf(ReplicaGoneException.class);

    await("the NameNode knows", () -> hdfs.located(file, 0).isLost());
    DataNode target = hdfs.nodeWithout(located);
    hdfs.deliver(located.block(), target, content);
    await("only the new one", () -> nodes(hdfs.located(file, 0)).equals(Set.of(target)));
    hdfs.cluster.triggerBlockReports();
    assertThat(nodes(hdfs.located(file, 0))).containsExactly(target);
    assertThat(hdfs.read(file)).isEqualTo(content);
  }

  @Test
  void aNodeThatHasNoSuchReplicaIsToldFromOneThatDoesNotAnswer() throws IOException {
    Path file = hdfs.write(bytes(BLOCK));
    Replica replica = hdfs.onlyReplica(file);
    Block block = hdfs.located(file, 0).block();
    HdfsDataNodes dataNodes = new HdfsDataNodes(hdfs.fileSystem, hdfs.blockPool, ReadTokens.NONE);
    assertThat(dataNodes.checksum(block, replica)).isNotZero();

    hdfs.cluster.deleteReplica(block.id(), hdfs.index(replica.node()));
    assertThatIOException()
        .isThrownBy(() -> dataNodes.checksum(block, replica))
        .satisfies(
            e ->
                assertThat(FaultClassifier.faultOf(e, DetectionSource.DATANODE_CHECKSUM))
                    .isEqualTo(Fault.REPLICA_GONE));
    Replica never = new Replica(hdfs.nodeWithout(hdfs.located(file, 0)), "DISK", true);
    assertThatIOException()
        .isThrownBy(() -> dataNodes.checksum(block, never))
        .satisfies(
            e ->
                assertThat(FaultClassifier.faultOf(e, DetectionSource.DATANODE_CHECKSUM))
                    .isEqualTo(Fault.REPLICA_GONE));

    int index = hdfs.index(replica.node());
    hdfs.cluster.stopDataNode(index);
    try {
      assertThatIOException()
          .isThrownBy(() -> dataNodes.checksum(block, replica))
          .satisfies(
              e ->
                  assertThat(FaultClassifier.faultOf(e, DetectionSource.DATANODE_CHECKSUM))
                      .isEqualTo(Fault.UNREACHABLE));
    } finally {
      hdfs.cluster.restartDataNode(index);
    }
  }

  private static Set<DataNode> nodes(LocatedBlock block) {
    return block.live().stream().map(Replica::node).collect(Collectors.toSet());
  }

  private static Set<DataNode> corrupt(LocatedBlock block) {
    return block.corrupt().stream().map(Replica::node).collect(Collectors.toSet());
  }
}
