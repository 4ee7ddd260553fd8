// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.blockfixer.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.drfs.hdfs.HdfsNamespace;
import io.hdfsraid.drfs.hdfs.HdfsParityStore;
import io.hdfsraid.drfs.hdfs.ParitySettings;
import io.hdfsraid.drfs.namespace.NodeState;
import io.hdfsraid.drfs.parity.ParityDraft;
import io.hdfsraid.drfs.parity.UnitOutput;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * DataNodes that pin what was written to favoured nodes, and whose host names are their addresses:
 * the client knows such a node as one that it has asked for.
 */
class PinnedBlocksTest {
  @TempDir private static java.nio.file.Path folder;
  private static MiniDFSCluster cluster;
  private static Configuration conf;
  private static DistributedFileSystem fs;

  @BeforeAll
  static void start() throws IOException {
    conf = new HdfsConfiguration();
    conf.set("dfs.datanode.block-pinning.enabled", "true");
    conf.set("dfs.datanode.hostname", "127.0.0.1");
    conf.set("dfs.heartbeat.interval", "1");
    conf.set("dfs.namenode.redundancy.interval.seconds", "1");
    cluster = new MiniDFSCluster.Builder(conf, folder.toFile()).numDataNodes(1).build();
    cluster.waitActive();
    fs = cluster.getFileSystem();
  }

  @AfterAll
  static void stop() {
    cluster.shutdown();
  }

  @Test
  void aParityUnitCanBeMovedThoughItWasWrittenToAFavouredNode() throws Exception {
    HdfsNamespace namespace = new HdfsNamespace(fs);
    DataNode only = nodes(namespace).get(0);
    assertThat(only.address()).isEqualTo(only.host() + ":" + port(only));
    Path pinned = new Path("/pinned");
    try (OutputStream out =
        fs.createFile(pinned)
            .replication((short) 1)
            .favoredNodes(
                new InetSocketAddress[] {
                  new InetSocketAddress(
                      InetAddress.getByAddress("127.0.0.1", new byte[] {127, 0, 0, 1}), port(only))
                })
            .build()) {
      out.write(1);
    }
    try (HdfsParityStore store =
        HdfsParityStore.open(fs.getUri(), conf, ParitySettings.defaults())) {
      store.prepare();
      try (ParityDraft draft = store.draft(4711)) {
        try (UnitOutput unit = draft.create(0, Optional.of(only), 1)) {
          unit.write(ByteBuffer.allocate(1));
        }
        String path = fs.listStatus(new Path("/.raid/tmp"))[0].getPath().toUri().getPath() + "/0";
        LocatedBlock unit = namespace.file(path).orElseThrow().blocks().get(0);
        LocatedBlock favoured = namespace.file("/pinned").orElseThrow().blocks().get(0);
        assertThat(unit.live()).extracting(Replica::node).containsExactly(only);
        cluster.startDataNodes(conf, 1, true, null, null);
        cluster.waitActive();
        DataNode other =
            nodes(namespace).stream().filter(node -> !node.equals(only)).findFirst().orElseThrow();
        HdfsBlockMover mover =
            new HdfsBlockMover(fs, cluster.getNamesystem().getBlockPoolId(), WriteTokens.NONE);

        assertThatIOException()
            .as("what a client wrote to a favoured node")
            .isThrownBy(() -> mover.move(favoured.block(), favoured.live().get(0), other));
        mover.move(unit.block(), unit.live().get(0), other);

        HdfsFixture.await(
            "the unit at the other node",
            () ->
                namespace.file(path).orElseThrow().blocks().get(0).live().stream()
                    .map(Replica::node)
                    .toList()
                    .equals(List.of(other)));
      }
    }
  }

  private static List<DataNode> nodes(HdfsNamespace namespace) throws IOException {
    return namespace.nodes().stream().map(NodeState::node).toList();
  }

  private static int port(DataNode node) {
    return Integer.parseInt(node.address().substring(node.address().indexOf(':') + 1));
  }
}
