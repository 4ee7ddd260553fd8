// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.blockfixer.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.blockfixer.repair.Delivery;
import io.hdfsraid.blockfixer.repair.Polling;
import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.drfs.hdfs.HdfsBadReplicaReports;
import io.hdfsraid.drfs.hdfs.HdfsNamespace;
import io.hdfsraid.drfs.namespace.CallPermits;
import io.hdfsraid.drfs.namespace.LocatedFile;
import io.hdfsraid.drfs.namespace.NodeState;
import io.hdfsraid.embedded.EmbeddedHdfs;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/** A running HDFS with the adapters under test, and words for what the tests do to it. */
final class HdfsFixture implements AutoCloseable {
  static final int BLOCK = 256 * 1024;
  private static final Polling PATIENCE =
      Polling.every(Duration.ofSeconds(30), Duration.ofMillis(20));

  final EmbeddedHdfs cluster;
  final DistributedFileSystem fileSystem;
  final HdfsNamespace namespace;
  final String blockPool;
  final HdfsBlockDelivery delivery;
  final HdfsBlockMover mover;
  final HdfsBadReplicaReports reports;
  final HdfsCorruptFileList losses;
  final WriteTokens tokens;
  private final AtomicInteger files = new AtomicInteger();

  /** Makes tokens for the cluster. */
  interface Tokens {
    WriteTokens of(EmbeddedHdfs cluster, String blockPool) throws IOException;
  }

  HdfsFixture(EmbeddedHdfs cluster, Tokens tokens) throws IOException {
    this.cluster = cluster;
    fileSystem = cluster.fileSystem();
    namespace = new HdfsNamespace(fileSystem);
    Path probe = write("/probe", new byte[1]);
    blockPool =
        fileSystem
            .getClient()
            .getLocatedBlocks(probe.toString(), 0)
            .get(0)
            .getBlock()
            .getBlockPoolId();
    this.tokens = tokens.of(cluster, blockPool);
    delivery = new HdfsBlockDelivery(fileSystem, blockPool, this.tokens);
    mover = new HdfsBlockMover(fileSystem, blockPool, this.tokens);
    reports = new HdfsBadReplicaReports(fileSystem, blockPool);
    losses = new HdfsCorruptFileList(fileSystem, CallPermits.UNLIMITED);
  }

  static byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    return bytes;
  }

  /** A new file with one replica. */
  Path write(byte[] bytes) throws IOException {
    return write("/file" + files.incrementAndGet(), bytes);
  }

  private Path write(String path, byte[] bytes) throws IOException {
    Path file = new Path(path);
    boolean overwrite = true;
    short replication = 1;
    try (FSDataOutputStream out =
        fileSystem.create(file, overwrite, 4096, replication, (long) BLOCK)) {
      out.write(bytes);
    }
    return file;
  }

  byte[] read(Path file) throws IOException {
    try (InputStream in = fileSystem.open(file)) {
      return in.readAllBytes();
    }
  }

  LocatedBlock located(Path file, int block) throws IOException {
    return state(file).blocks().get(block);
  }

  LocatedFile state(Path file) throws IOException {
    return namespace.file(file.toString()).orElseThrow();
  }

  Replica onlyReplica(Path file) throws IOException {
    List<Replica> live = located(file, 0).live();
    assertThat(live).hasSize(1);
    return live.get(0);
  }

  int index(DataNode node) {
    return cluster.dataNodeAt(node.address()).index();
  }

  /** A live node that has nothing of the block. */
  DataNode nodeWithout(LocatedBlock block, DataNode... alsoNot) throws IOException {
    return namespace.nodes().stream()
        .map(NodeState::node)
        .filter(node -> !block.holders().contains(node) && !List.of(alsoNot).contains(node))
        .findFirst()
        .orElseThrow();
  }

  /** The only replica of the block vanishes, and its DataNode notices. Returns who had it. */
  DataNode lose(Path file, int block) throws IOException {
    LocatedBlock located = located(file, block);
    assertThat(located.live()).hasSize(1);
    DataNode node = located.live().get(0).node();
    cluster.deleteReplica(located.block().id(), index(node));
    cluster.runDirectoryScanner(index(node));
    await("the NameNode knows of the loss", () -> located(file, block).isLost());
    return node;
  }

  /** As good as lost, at once: the NameNode takes the only replica for corrupt. */
  DataNode spoil(Path file) throws IOException {
    Replica replica = onlyReplica(file);
    reports.report(located(file, 0).block(), replica);
    await("corrupt", () -> located(file, 0).isLost());
    return replica.node();
  }

  void deliver(Block block, DataNode target, byte[] bytes) throws IOException {
    deliver(delivery, block, target, bytes);
  }

  /** In pieces that fit no packet. */
  static void deliver(HdfsBlockDelivery through, Block block, DataNode target, byte[] bytes)
      throws IOException {
    try (Delivery open = through.open(block, target, "DISK")) {
      ByteBuffer all = ByteBuffer.wrap(bytes);
      while (all.hasRemaining()) {
        int piece = Math.min(70_001, all.remaining());
        open.accept(all.duplicate().limit(all.position() + piece));
        all.position(all.position() + piece);
      }
      open.finish();
    }
  }

  static void await(String what, Polling.Check condition) throws IOException {
    assertThat(PATIENCE.until(condition)).as(what).isTrue();
  }

  @Override
  public void close() throws IOException {
    cluster.close();
  }
}
