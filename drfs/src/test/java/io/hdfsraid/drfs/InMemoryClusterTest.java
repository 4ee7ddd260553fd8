// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.BlockInput;
import io.hdfsraid.drfs.block.CorruptReplicaException;
import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.drfs.namespace.InodeGoneException;
import io.hdfsraid.drfs.parity.ParityFile;
import io.hdfsraid.drfs.parity.ParityPhase;
import io.hdfsraid.drfs.parity.RefusedException;
import io.hdfsraid.erasurecode.codes.Codecs;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class InMemoryClusterTest {
  private static final int BLOCK = 2_000;

  private final InMemoryCluster cluster = new InMemoryCluster(10, 3, 1);

  @Test
  void theSameSeedGivesTheSamePlacementOnTwoRacks() {
    InMemoryCluster twin = new InMemoryCluster(10, 3, 1);
    for (InMemoryCluster either : List.of(cluster, twin)) {
      either.createFile("/f", BLOCK, new byte[20 * BLOCK], 3);
    }
    assertThat(block("/f", 0).live()).hasSize(3);
    assertThat(cluster.file("/f")).isEqualTo(twin.file("/f"));
    assertThat(cluster.file("/f").orElseThrow().blocks())
        .allSatisfy(
            block ->
                assertThat(block.live().stream().map(r -> r.node().rack()).distinct())
                    .hasSizeGreaterThan(1));
  }

  @Test
  void rotIsSilentUntilItIsReadAndReported() throws IOException {
    cluster.createFile("/f", BLOCK, bytes(BLOCK), 1);
    LocatedBlock block = block("/f", 0);
    Replica replica = block.live().get(0);
    int before = cluster.checksum(block.block(), replica);
    cluster.corrupt(block.block().id(), replica.node(), 1_100);

    assertThat(block("/f", 0).live()).containsExactly(replica);
    assertThat(cluster.checksum(block.block(), replica)).isEqualTo(before);
    assertThat(read(block.block(), replica, 0, 1_024)).isEqualTo(slice(0, 1_024));
    assertThat(read(block.block(), replica, 1_536, 464)).isEqualTo(slice(1_536, 464));
    assertThatThrownBy(() -> read(block.block(), replica, 1_500, 20))
        .isInstanceOf(CorruptReplicaException.class);

    cluster.report(block.block().id(), replica.node());
    assertThat(block("/f", 0).isLost()).isTrue();
    assertThat(block("/f", 0).corrupt()).containsExactly(replica);
  }

  @Test
  void aDeadNodeGivesNothingAndComesBackWithWhatItHad() throws IOException {
    cluster.createFile("/f", BLOCK, bytes(BLOCK), 1);
    LocatedBlock block = block("/f", 0);
    Replica replica = block.live().get(0);
    cluster.kill(replica.node());
    assertThat(block("/f", 0).isLost()).isTrue();
    assertThat(cluster.nodes()).hasSize(9);
    assertThatThrownBy(() -> read(block.block(), replica, 0, 1)).isInstanceOf(IOException.class);
    cluster.revive(replica.node());
    assertThat(read(block.block(), replica, 0, BLOCK)).isEqualTo(slice(0, BLOCK));
  }

  @Test
  void aReplicaThatMissedAnAppendIsCorruptWhenItsNodeReturns() {
    cluster.createFile("/f", BLOCK, bytes(1_000), 1);
    cluster.place(block("/f", 0).block().id(), cluster.node(0), cluster.node(1));
    cluster.kill(cluster.node(0));
    cluster.append("/f", bytes(10));
    cluster.revive(cluster.node(0));
    assertThat(block("/f", 0).live()).extracting(Replica::node).containsExactly(cluster.node(1));
    assertThat(block("/f", 0).block().length()).isEqualTo(1_010);
  }

  @Test
  void loweringReplicationMayKeepTheRottenReplicaAndRaisingCopiesOnlyGoodOnes() throws IOException {
    long inode = cluster.createFile("/f", BLOCK, bytes(BLOCK), 3);
    LocatedBlock block = block("/f", 0);
    cluster.setReplication(inode, 1);
    DataNode kept = block("/f", 0).live().get(0).node();
    assertThat(block("/f", 0).live()).hasSize(1);
    assertThat(cluster.holders(block.block().id())).containsExactly(kept);

    cluster.corrupt(block.block().id(), kept);
    cluster.setReplication(inode, 3);
    assertThat(block("/f", 0).isLost()).as("the only replica is rotten").isTrue();
  }

  @Test
  void theNameNodeCopiesOnlyWhenItIsToldTo() throws IOException {
    cluster.createFile("/f", BLOCK, bytes(BLOCK), 3);
    cluster.kill(block("/f", 0).live().get(0).node());
    assertThat(block("/f", 0).live()).hasSize(2);
    cluster.replicate();
    assertThat(block("/f", 0).live()).hasSize(3);
  }

  @Test
  void aDeliveredReplicaIsRefusedWhereThereIsOneAndReplacesABadOneElsewhere() throws IOException {
    cluster.createFile("/f", BLOCK, bytes(BLOCK), 1);
    LocatedBlock block = block("/f", 0);
    DataNode bad = block.live().get(0).node();
    cluster.report(block.block().id(), bad);
    assertThatThrownBy(() -> cluster.deliver(block.block(), bad, bytes(BLOCK)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("already has");
    DataNode other = cluster.node(0).equals(bad) ? cluster.node(1) : cluster.node(0);
    cluster.deliver(block.block(), other, bytes(BLOCK));
    assertThat(cluster.holders(block.block().id())).containsExactly(other);
    assertThat(block("/f", 0).live()).extracting(Replica::node).containsExactly(other);
  }

  @Test
  void blocksOutliveTheirFileOnlyInASnapshotOrAfterAConcat() throws IOException {
    long f = cluster.createFile("/f", BLOCK, bytes(BLOCK), 1);
    cluster.createFile("/g", BLOCK, bytes(BLOCK), 1);
    cluster.createFile("/h", BLOCK, bytes(BLOCK), 1);
    long fBlock = block("/f", 0).block().id();
    long gBlock = block("/g", 0).block().id();
    long hBlock = block("/h", 0).block().id();
    cluster.snapshot("/g");
    cluster.concat("/h", "/f");
    cluster.delete("/g");
    assertThatThrownBy(() -> cluster.setReplication(f, 3)).isInstanceOf(InodeGoneException.class);
    assertThat(cluster.file("/h").orElseThrow().contents())
        .extracting(Block::id)
        .containsExactly(hBlock, fBlock);
    assertThat(cluster.blockExists(gBlock)).isTrue();
    cluster.delete("/h");
    assertThat(cluster.blockExists(fBlock)).isFalse();
  }

  @Test
  void parityIsCommittedMarkedQuarantinedRestoredAndPurged() throws IOException {
    RaidedFile file =
        RaidedFile.create(
            cluster, "/f", BLOCK, bytes(5 * BLOCK), Codecs.parse("rs-3-2"), 512, Runnable::run);
    ParityFile parity = file.parity();
    assertThat(parity.file().blocks()).hasSize(4);
    assertThat(parity.file().blocks().get(1).live())
        .extracting(Replica::node)
        .containsExactly(cluster.node(4));
    assertThat(parity.phase()).isEqualTo(ParityPhase.COMMITTED);
    assertThat(cluster.parityBytesWritten()).isEqualTo(4 * BLOCK);

    cluster.mark(file.inode(), ParityPhase.REDUCED);
    assertThat(file.parity().phase()).isEqualTo(ParityPhase.REDUCED);
    try (var draft = cluster.draft(file.inode())) {
      draft.concat(0);
      draft.describe(parity.manifest(), cluster.file("/f").orElseThrow());
      assertThatThrownBy(draft::commit).isInstanceOf(RefusedException.class);
    }

    assertThat(cluster.quarantine(file.inode())).isTrue();
    assertThat(cluster.find(file.inode())).isEmpty();
    List<ParityFile> quarantined = new ArrayList<>();
    cluster.forEachQuarantined(quarantined::add);
    assertThat(cluster.restore(quarantined.get(0))).isTrue();
    assertThat(file.parity().file().inode()).isEqualTo(parity.file().inode());
    cluster.setTime(Instant.parse("2029-02-01T00:00:00Z"));
    assertThat(cluster.quarantine(parity)).isTrue();
    assertThat(cluster.quarantine(parity)).as("it is gone from there").isFalse();
    cluster.forEachQuarantined(
        moved -> assertThat(moved.file().modified()).isEqualTo("2029-02-01T00:00:00Z"));
    cluster.purge(quarantined.get(0));
    assertThat(cluster.file(parity.file().inode())).isEmpty();
    assertThat(cluster.blockExists(parity.file().blocks().get(0).block().id())).isFalse();
  }

  @Test
  void draftsOfADeadProcessAreSwept() throws IOException {
    long inode = cluster.createFile("/f", BLOCK, bytes(BLOCK), 1);
    var draft = cluster.draft(inode);
    draft.create(0, Optional.empty(), 10).close();
    assertThat(cluster.sweepDrafts()).isZero();
    cluster.abandonDrafts();
    assertThat(cluster.sweepDrafts()).isEqualTo(1);
    assertThat(cluster.file("/.raid/tmp/" + inode + "/0")).isEmpty();
  }

  private LocatedBlock block(String path, int index) {
    return cluster.file(path).orElseThrow().blocks().get(index);
  }

  private byte[] read(Block block, Replica replica, long offset, int length) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(length);
    try (BlockInput input = cluster.open(block, replica, offset, length)) {
      input.readFully(bytes);
    }
    return bytes.array();
  }

  private static byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    IntStream.range(0, length).forEach(i -> bytes[i] = (byte) ((i * 31) >> 3));
    return bytes;
  }

  private static byte[] slice(int offset, int length) {
    return Arrays.copyOfRange(bytes(BLOCK), offset, offset + length);
  }
}
