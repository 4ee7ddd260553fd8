// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.blockfixer.hdfs;

import static io.hdfsraid.blockfixer.hdfs.HdfsFixture.BLOCK;
import static io.hdfsraid.blockfixer.hdfs.HdfsFixture.await;
import static io.hdfsraid.blockfixer.hdfs.HdfsFixture.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.BlockInput;
import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.drfs.hdfs.HdfsDataNodes;
import io.hdfsraid.drfs.hdfs.ReadTokens;
import io.hdfsraid.embedded.EmbeddedHdfs;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.CRC32C;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.security.token.block.BlockKey;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenSecretManager;
import org.apache.hadoop.hdfs.security.token.block.ExportedBlockKeys;
import org.apache.hadoop.hdfs.server.protocol.NamenodeProtocol;
import org.apache.hadoop.hdfs.server.protocol.NamespaceInfo;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class BlockKeyTokensTest {
  private static HdfsFixture hdfs;
  private static BlockKeyTokens tokens;
  private static HdfsDataNodes dataNodes;

  @BeforeAll
  static void start() throws IOException {
    hdfs =
        new HdfsFixture(
            EmbeddedHdfs.builder().dataNodes(3).withBlockTokens().start(),
            (cluster, blockPool) ->
                BlockKeyTokens.connect(cluster.uri(), cluster.configuration(), Clock.systemUTC()));
    tokens = (BlockKeyTokens) hdfs.tokens;
    dataNodes = new HdfsDataNodes(hdfs.fileSystem, tokens.blockPool(), tokens);
  }

  @AfterAll
  static void stop() throws IOException {
    tokens.close();
    hdfs.close();
  }

  private static byte[] read(HdfsDataNodes through, Block block, Replica replica)
      throws IOException {
    ByteBuffer target = ByteBuffer.allocate((int) block.length());
    try (BlockInput in = through.open(block, replica, 0, block.length())) {
      in.readFully(target);
    }
    return target.array();
  }

  @Test
  void theClusterIsNamed() {
    assertThat(tokens.blockPool()).isEqualTo(hdfs.blockPool);
    assertThat(tokens.clusterId()).isNotBlank();
  }

  @Test
  void dataNodesTakeThemForReadingAndForChecksums() throws IOException {
    byte[] content = bytes(BLOCK);
    Path file = hdfs.write(content);
    Block block = hdfs.located(file, 0).block();
    Replica replica = hdfs.onlyReplica(file);
    CRC32C crc = new CRC32C();
    crc.update(content);

    assertThat(read(dataNodes, block, replica)).isEqualTo(content);
    assertThat(dataNodes.checksum(block, replica)).isEqualTo((int) crc.getValue());

    HdfsDataNodes without = new HdfsDataNodes(hdfs.fileSystem, hdfs.blockPool, ReadTokens.NONE);
    assertThatIOException().isThrownBy(() -> read(without, block, replica));
    assertThatIOException().isThrownBy(() -> without.checksum(block, replica));
  }

  @Test
  void dataNodesTakeThemForDeliveriesAndMoves() throws IOException {
    byte[] content = bytes(BLOCK);
    Path file = hdfs.write(content);
    DataNode lostAt = hdfs.lose(file, 0);
    LocatedBlock lost = hdfs.located(file, 0);
    DataNode target = hdfs.nodeWithout(lost, lostAt);
    HdfsBlockDelivery without =
        new HdfsBlockDelivery(hdfs.fileSystem, hdfs.blockPool, WriteTokens.NONE);
    assertThatIOException()
        .isThrownBy(() -> HdfsFixture.deliver(without, lost.block(), target, content));

    hdfs.deliver(lost.block(), target, content);
    await("delivered", () -> !hdfs.located(file, 0).isLost());

    DataNode next = hdfs.nodeWithout(hdfs.located(file, 0), lostAt);
    hdfs.mover.move(lost.block(), hdfs.onlyReplica(file), next);
    await(
        "moved",
        () ->
            hdfs.located(file, 0).live().stream()
                .map(Replica::node)
                .toList()
                .equals(java.util.List.of(next)));
    assertThat(hdfs.read(file)).isEqualTo(content);
  }

  @Test
  void aNodeThatKnowsOnlyTheKeysOfARestartedNameNodeIsReadAfterARefresh() throws IOException {
    byte[] content = bytes(BLOCK);
    Path file = hdfs.write(content);
    Block block = hdfs.located(file, 0).block();
    int node = hdfs.index(hdfs.onlyReplica(file).node());
    hdfs.cluster.restartNameNode();
    hdfs.cluster.stopDataNode(node);
    hdfs.cluster.restartDataNode(node);
    await("the replica is back", () -> !hdfs.located(file, 0).isLost());

    assertThat(read(dataNodes, block, hdfs.onlyReplica(file))).isEqualTo(content);
  }

  /**
   * A NameNode that knows nothing but its name and these keys, and counts how often it is asked.
   */
  private static NamenodeProtocol nameNode(ExportedBlockKeys keys, AtomicInteger asked) {
    return (NamenodeProtocol)
        Proxy.newProxyInstance(
            NamenodeProtocol.class.getClassLoader(),
            new Class<?>[] {NamenodeProtocol.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "versionRequest" -> new NamespaceInfo(1, "cluster", "pool", 0);
                  case "getBlockKeys" -> {
                    if (asked.incrementAndGet() == 4) {
                      throw new IOException("the NameNode is away");
                    }
                    yield keys;
                  }
                  default -> throw new UnsupportedOperationException(method.getName());
                });
  }

  @Test
  void withoutBlockTokensTheyAreEmptyAndTryingAgainIsPointless() throws IOException {
    AtomicInteger asked = new AtomicInteger();
    BlockKeyTokens off =
        BlockKeyTokens.of(nameNode(ExportedBlockKeys.DUMMY_KEYS, asked), Clock.systemUTC());
    ExtendedBlock block = new ExtendedBlock("pool", 1, 2, 3);

    assertThat(off.read(block).getIdentifier()).isEmpty();
    assertThat(off.write(block, StorageType.DISK).getPassword()).isEmpty();
    assertThat(off.replace(block, StorageType.DISK).getPassword()).isEmpty();
    assertThat(asked).hasValue(1);
    assertThat(off.refresh()).isFalse();
  }

  @Test
  void keysAreFetchedAgainAfterAQuarterOfTheirUpdateInterval() throws IOException {
    Duration interval = Duration.ofHours(10);
    BlockTokenSecretManager master =
        new BlockTokenSecretManager(
            interval.toMillis(), interval.toMillis(), 0, 1, "pool", null, false);
    BlockKey current = master.getCurrentKey();
    assertThat(current).isNotNull();
    AtomicInteger asked = new AtomicInteger();
    Instant[] now = {Instant.parse("2026-01-01T00:00:00Z")};
    Clock clock =
        new Clock() {
          @Override
          public Instant instant() {
            return now[0];
          }

          @Override
          public ZoneOffset getZone() {
            return ZoneOffset.UTC;
          }

          @Override
          public Clock withZone(java.time.ZoneId zone) {
            return this;
          }
        };
    BlockKeyTokens made = BlockKeyTokens.of(nameNode(master.exportKeys(), asked), clock);
    ExtendedBlock block = new ExtendedBlock("pool", 1, 2, 3);

    made.read(block);
    now[0] = now[0].plus(interval.dividedBy(4)).minusMillis(1);
    made.read(block);
    assertThat(asked).hasValue(1);
    now[0] = now[0].plusMillis(1);
    assertThat(made.read(block).getPassword()).isNotEmpty();
    assertThat(asked).hasValue(2);
    assertThat(made.refresh()).isTrue();
    assertThat(asked).hasValue(3);

    now[0] = now[0].plus(interval.dividedBy(4));
    assertThat(made.read(block).getPassword()).as("with the old keys").isNotEmpty();
    assertThat(made.read(block).getPassword()).isNotEmpty();
    assertThat(asked).hasValue(4);
    now[0] = now[0].plusSeconds(60);
    made.read(block);
    assertThat(asked).hasValue(5);

    now[0] = now[0].minus(Duration.ofDays(365)); // the clock is set back
    made.read(block);
    assertThat(asked).hasValue(6);
    made.read(block);
    assertThat(asked).hasValue(6);
  }
}
