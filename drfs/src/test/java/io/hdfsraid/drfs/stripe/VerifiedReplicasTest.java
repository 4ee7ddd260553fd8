// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.stripe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsraid.drfs.RaidedFile;
import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.BlockInput;
import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.DataNodes;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.erasurecode.ReadCost;
import io.hdfsraid.erasurecode.codes.Codecs;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class VerifiedReplicasTest extends StripeFixture {
  private static final int BLOCK = 3_000;

  private final byte[] content = new byte[3 * BLOCK];
  private final VerifiedReplicas verified = new VerifiedReplicas(threads);
  private final List<DataNode> asked = Collections.synchronizedList(new ArrayList<>());
  private final List<DataNode> reported = Collections.synchronizedList(new ArrayList<>());
  private RaidedFile file;

  @BeforeEach
  void raid() throws IOException {
    new Random(1).nextBytes(content);
    file = RaidedFile.create(cluster, "/f", BLOCK, content, Codecs.parse("rs-3-2"), 1024, threads);
  }

  /** A part of unit 0, as an application reads it that has lost block 0. */
  private HelperReads read(int from, int length) throws IOException {
    return read(file.stripes().get(0), from, length);
  }

  private HelperReads read(LocatedStripe stripe, int from, int length) throws IOException {
    DataNodes dataNodes =
        verified.of(
            stripe,
            new Questions(),
            cluster::located,
            (block, replica) -> reported.add(replica.node()));
    ByteBuffer target = ByteBuffer.allocate(length);
    HelperReads reads =
        new StripeRebuilder(dataNodes, threads, LocatedBlock::live, RowMemory.UNLIMITED)
            .read(stripe, 0, from, target, ReadCost.UNIFORM);
    assertThat(target.flip()).isEqualTo(ByteBuffer.wrap(content, from, length));
    return reads;
  }

  /** Counts the questions for checksums. */
  private final class Questions implements DataNodes {
    @Override
    public BlockInput open(Block block, Replica replica, long offset, long length)
        throws IOException {
      return cluster.open(block, replica, offset, length);
    }

    @Override
    public int checksum(Block block, Replica replica) throws IOException {
      asked.add(replica.node());
      return cluster.checksum(block, replica);
    }
  }

  /** The node gets other bytes for its unit, with checksums that fit them. */
  private void forge(int unit) throws IOException {
    Block block = file.stripes().get(0).unit(unit).located().orElseThrow().block();
    cluster.deleteReplica(block.id(), cluster.node(unit));
    cluster.deliver(block, cluster.node(unit), new byte[BLOCK]);
  }

  @Test
  void eachReplicaIsAskedOnceHoweverOftenItIsRead() throws IOException {
    read(10, 100);
    read(2_000, 500);
    assertThat(asked).containsExactlyInAnyOrder(cluster.node(1), cluster.node(2), cluster.node(3));
    assertThat(reported).isEmpty();
  }

  @Test
  void aReplicaWithOtherBytesIsNotUsedAndOtherUnitsAre() throws IOException {
    forge(1);
    HelperReads reads = read(10, 100);
    assertThat(reads.bytesFrom())
        .containsOnlyKeys(cluster.node(2), cluster.node(3), cluster.node(4));
    assertThat(reads.failed()).extracting(FailedReplica::unit).containsExactly(1);
    assertThat(reported).containsExactly(cluster.node(1));
  }

  /** HDFS keeps the id of the last block and its length; only the generation stamp is new. */
  @Test
  void aReplicaThatAUserHasRewrittenSinceItWasLocatedIsNotReported() throws IOException {
    LocatedStripe stripe = file.stripes().get(0);
    cluster.truncate("/f", 3 * BLOCK - 100);
    cluster.append("/f", new byte[100]);
    assertThat(read(stripe, 10, 100).failed()).extracting(FailedReplica::unit).containsExactly(2);
    assertThat(reported).isEmpty();
  }

  @Test
  void aReplicaThatIsNoLongerListedIsNotReported() throws IOException {
    LocatedStripe stripe = file.stripes().get(0);
    forge(1);
    Block block = stripe.unit(1).located().orElseThrow().block();
    cluster.report(block.id(), cluster.node(1));
    assertThat(read(stripe, 10, 100).failed()).extracting(FailedReplica::unit).containsExactly(1);
    assertThat(reported).isEmpty();
  }

  @Test
  void anotherReplicaOfTheSameUnitIsUsedFirst() throws IOException {
    forge(1);
    cluster.setReplication(file.inode(), 2);
    Block block = file.stripes().get(0).unit(1).located().orElseThrow().block();
    cluster.place(block.id());
    cluster.deliver(block, cluster.node(1), new byte[BLOCK]);
    cluster.deliver(block, cluster.node(9), Arrays.copyOfRange(content, BLOCK, 2 * BLOCK));
    assertThat(read(10, 100).bytesFrom()).containsKey(cluster.node(9));
    assertThat(reported).containsExactly(cluster.node(1));
  }

  @Test
  void aContradictionIsAskedForTwiceAndReportedOnce() throws IOException {
    forge(1);
    read(10, 100);
    read(10, 100);
    assertThat(asked).filteredOn(cluster.node(1)::equals).hasSize(2);
    assertThat(reported).hasSize(1);
  }

  @Test
  void moreForgedUnitsThanTheCodeToleratesGiveNoBytesAtAll() throws IOException {
    forge(1);
    forge(2);
    assertThatThrownBy(() -> read(10, 100))
        .isInstanceOf(UnrecoverableStripeException.class)
        .satisfies(e -> assertThat(e.getSuppressed()).hasSize(2));
  }

  @Test
  void aNodeThatDoesNotAnswerIsReplacedAndAskedAgainTheNextTime() throws IOException {
    cluster.hush(cluster.node(1));
    assertThat(read(10, 100).failed()).extracting(FailedReplica::unit).containsExactly(1);
    assertThat(reported).isEmpty();
    cluster.revive(cluster.node(1));
    assertThat(read(10, 100).failed()).isEmpty();
  }

  /** Reads of the other helpers are interrupted as soon as one of them has failed. */
  @Test
  void aReportThatWasInterruptedIsMadeTheNextTime() throws IOException {
    forge(1);
    LocatedStripe stripe = file.stripes().get(0);
    Block block = stripe.unit(1).located().orElseThrow().block();
    Replica replica = stripe.unit(1).located().orElseThrow().live().get(0);
    boolean[] interrupted = {true};
    DataNodes dataNodes =
        verified.of(
            stripe,
            cluster,
            cluster::located,
            (bad, where) -> {
              if (interrupted[0]) {
                throw new InterruptedIOException("Call interrupted");
              }
              reported.add(where.node());
            });
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(
              () -> {
                try (BlockInput input = dataNodes.open(block, replica, 0, 1)) {
                  input.readFully(ByteBuffer.allocate(1));
                }
              })
          .isInstanceOf(ContradictingReplicaException.class);
      interrupted[0] = false;
    }
    assertThat(reported).containsExactly(cluster.node(1));
  }

  @Test
  void aReportThatTheNameNodeDoesNotTakeKeepsNobodyFromReading() throws IOException {
    forge(1);
    LocatedStripe stripe = file.stripes().get(0);
    DataNodes dataNodes =
        verified.of(
            stripe,
            cluster,
            cluster::located,
            (block, replica) -> {
              throw new IOException("the NameNode is in safe mode");
            });
    ByteBuffer target = ByteBuffer.allocate(100);
    HelperReads unused =
        new StripeRebuilder(dataNodes, threads, LocatedBlock::live, RowMemory.UNLIMITED)
            .read(stripe, 0, 0, target, ReadCost.UNIFORM);
    assertThat(target.flip()).isEqualTo(ByteBuffer.wrap(content, 0, 100));
  }
}
