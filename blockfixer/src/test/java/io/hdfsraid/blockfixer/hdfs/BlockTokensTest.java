// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.blockfixer.hdfs;

import static io.hdfsraid.blockfixer.hdfs.HdfsFixture.BLOCK;
import static io.hdfsraid.blockfixer.hdfs.HdfsFixture.await;
import static io.hdfsraid.blockfixer.hdfs.HdfsFixture.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.embedded.EmbeddedHdfs;
import java.io.IOException;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.NameNodeProxies;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier.AccessMode;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenSecretManager;
import org.apache.hadoop.hdfs.security.token.block.ExportedBlockKeys;
import org.apache.hadoop.hdfs.server.protocol.NamenodeProtocol;
import org.apache.hadoop.security.token.Token;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Deliveries and moves where DataNodes want block tokens. */
class BlockTokensTest {
  private static HdfsFixture hdfs;

  @BeforeAll
  static void start() throws IOException {
    hdfs =
        new HdfsFixture(
            EmbeddedHdfs.builder().dataNodes(3).withBlockTokens().start(), BlockTokensTest::tokens);
  }

  @AfterAll
  static void stop() throws IOException {
    hdfs.close();
  }

  private static WriteTokens tokens(EmbeddedHdfs cluster, String blockPool) throws IOException {
    ExportedBlockKeys keys =
        NameNodeProxies.createProxy(cluster.configuration(), cluster.uri(), NamenodeProtocol.class)
            .getProxy()
            .getBlockKeys();
    boolean protobuf = false;
    BlockTokenSecretManager secrets =
        new BlockTokenSecretManager(
            keys.getKeyUpdateInterval(), keys.getTokenLifetime(), blockPool, null, protobuf);
    secrets.addKeys(keys);
    return new WriteTokens() {
      @Override
      public Token<BlockTokenIdentifier> write(ExtendedBlock block, StorageType type)
          throws IOException {
        return token(EnumSet.of(AccessMode.WRITE), block, type);
      }

      @Override
      public Token<BlockTokenIdentifier> replace(ExtendedBlock block, StorageType type)
          throws IOException {
        return token(EnumSet.of(AccessMode.REPLACE, AccessMode.COPY), block, type);
      }

      @Override
      public boolean refresh() {
        return false;
      }

      private Token<BlockTokenIdentifier> token(
          EnumSet<AccessMode> modes, ExtendedBlock block, StorageType type) throws IOException {
        return secrets.generateToken(
            "raid", block, modes, new StorageType[] {type}, new String[] {""});
      }
    };
  }

  @Test
  void aBlockIsDeliveredWithATokenAndRefusedWithout() throws IOException {
    byte[] content = bytes(BLOCK);
    Path file = hdfs.write(content);
    DataNode lostAt = hdfs.spoil(file);
    Block block = hdfs.located(file, 0).block();
    DataNode target = hdfs.nodeWithout(hdfs.located(file, 0), lostAt);
    HdfsBlockDelivery without =
        new HdfsBlockDelivery(hdfs.fileSystem, hdfs.blockPool, WriteTokens.NONE);

    assertThatIOException().isThrownBy(() -> HdfsFixture.deliver(without, block, target, content));
    assertThat(hdfs.located(file, 0).isLost()).isTrue();

    hdfs.deliver(block, target, content);
    await("live at the target", () -> nodes(hdfs.located(file, 0)).equals(Set.of(target)));
    assertThat(hdfs.read(file)).isEqualTo(content);
  }

  @Test
  void aReplicaIsMovedWithATokenAndNotWithout() throws IOException {
    byte[] content = bytes(BLOCK);
    Path file = hdfs.write(content);
    Replica from = hdfs.onlyReplica(file);
    Block block = hdfs.located(file, 0).block();
    DataNode to = hdfs.nodeWithout(hdfs.located(file, 0));
    HdfsBlockMover without = new HdfsBlockMover(hdfs.fileSystem, hdfs.blockPool, WriteTokens.NONE);

    assertThatIOException().isThrownBy(() -> without.move(block, from, to));
    hdfs.mover.move(block, from, to);

    await("moved", () -> nodes(hdfs.located(file, 0)).equals(Set.of(to)));
    assertThat(hdfs.read(file)).isEqualTo(content);
  }

  private static Set<DataNode> nodes(LocatedBlock block) {
    return block.live().stream().map(Replica::node).collect(Collectors.toSet());
  }
}
