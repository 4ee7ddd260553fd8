// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.stripe;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.drfs.RaidedFile;
import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.BlockInput;
import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.DataNodes;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.erasurecode.codes.Codecs;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LostUnitTest extends StripeFixture {
  private static final int BLOCK = 3_000;

  private final byte[] content = new byte[3 * BLOCK];
  private final Set<DataNode> slow = new HashSet<>();
  private final List<DataNode> asked = Collections.synchronizedList(new ArrayList<>());
  private RaidedFile file;

  @BeforeEach
  void raid() throws IOException {
    new Random(1).nextBytes(content);
    file = RaidedFile.create(cluster, "/f", BLOCK, content, Codecs.parse("rs-3-2"), 1024, threads);
  }

  private LostUnit lost() throws IOException {
    DataNodes counted =
        new DataNodes() {
          @Override
          public BlockInput open(Block block, Replica replica, long offset, long length)
              throws IOException {
            asked.add(replica.node());
            return cluster.open(block, replica, offset, length);
          }

          @Override
          public int checksum(Block block, Replica replica) throws IOException {
            return cluster.checksum(block, replica);
          }
        };
    return new LostUnit(
        new StripeRebuilder(counted, threads, LocatedBlock::live, RowMemory.UNLIMITED),
        file.stripes().get(0),
        0,
        slow::contains);
  }

  /** A window of unit 0, as an application reads it that has lost block 0. */
  private void read(LostUnit lost, int from) throws IOException {
    asked.clear();
    ByteBuffer target = ByteBuffer.allocate(500);
    HelperReads unused = lost.read(from, target);
    assertThat(target.flip()).isEqualTo(ByteBuffer.wrap(content, from, 500));
  }

  @Test
  void aHelperThatHangsIsAskedOnceHoweverManyWindowsAreRead() throws IOException {
    LostUnit lost = lost();
    cluster.hang(cluster.node(1));
    read(lost, 0);
    assertThat(asked).contains(cluster.node(1));
    for (int from = 500; from < BLOCK; from += 500) {
      read(lost, from);
      assertThat(asked).as("from %d", from).hasSize(3).doesNotContain(cluster.node(1));
    }
  }

  @Test
  void slowNodesAreLeftOutUnlessTheyAreNeeded() throws IOException {
    LostUnit lost = lost();
    slow.add(cluster.node(1));
    read(lost, 0);
    assertThat(asked).containsExactlyInAnyOrder(cluster.node(2), cluster.node(3), cluster.node(4));
    slow.add(cluster.node(2));
    read(lost, 500);
    assertThat(asked).hasSize(3).containsAnyOf(cluster.node(1), cluster.node(2));
  }

  @Test
  void aHelperThatFailedStaysLeftOutThoughASlowOneIsNeeded() throws IOException {
    LostUnit lost = lost();
    cluster.hang(cluster.node(1));
    read(lost, 0);
    slow.add(cluster.node(2));
    for (int from = 500; from < BLOCK; from += 500) {
      read(lost, from);
      assertThat(asked).hasSize(3).doesNotContain(cluster.node(1));
    }
  }

  @Test
  void anotherReplicaOfItsUnitIsStillUsed() throws IOException {
    Block block = file.stripes().get(0).unit(1).located().orElseThrow().block();
    cluster.place(block.id(), cluster.node(1), cluster.node(9));
    LostUnit lost = lost();
    cluster.hang(cluster.node(1));
    read(lost, 0);
    assertThat(asked).contains(cluster.node(1), cluster.node(9));
    read(lost, 500);
    assertThat(asked).containsExactlyInAnyOrder(cluster.node(9), cluster.node(2), cluster.node(3));
  }

  @Test
  void aHelperThatFailedIsTriedAgainIfTheOthersDoNotDetermineTheUnit() throws IOException {
    LostUnit lost = lost();
    cluster.hush(cluster.node(1));
    read(lost, 0);
    cluster.revive(cluster.node(1));
    cluster.hush(cluster.node(2));
    read(lost, 500);
    assertThat(asked).contains(cluster.node(1));
    read(lost, 1_000);
    assertThat(asked).containsExactlyInAnyOrder(cluster.node(1), cluster.node(3), cluster.node(4));
  }
}
