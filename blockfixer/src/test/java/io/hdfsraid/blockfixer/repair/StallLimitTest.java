// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.blockfixer.repair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.hdfsraid.blockfixer.RaidedStripe;
import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.BlockInput;
import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.DataNodes;
import io.hdfsraid.drfs.block.Replica;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class StallLimitTest {
  private static final Duration SOON = Duration.ofMillis(200);
  private static final Duration NEVER = Duration.ofHours(1);

  private final RaidedStripe file;

  StallLimitTest() throws IOException {
    file = new RaidedStripe("rs-3-2");
  }

  private void read(DataNodes dataNodes, int unit) throws IOException {
    Block block = file.block(unit);
    try (BlockInput input = dataNodes.open(block, file.replica(unit), 0, block.length())) {
      input.readFully(ByteBuffer.allocate((int) block.length()));
    }
  }

  @Test
  void aReadThatHangsEndsAsIfTheNodeDidNotAnswerAndTheThreadIsNotInterrupted() throws IOException {
    file.cluster.slow(file.replica(0).node());
    try (StallLimit stalls = new StallLimit(SOON)) {
      assertThatIOException()
          .isThrownBy(() -> read(stalls.reads(file.cluster), 0))
          .isInstanceOf(SocketTimeoutException.class)
          .withMessageContaining(file.replica(0).node().toString());
      assertThat(Thread.currentThread().isInterrupted()).isFalse();
      read(stalls.reads(file.cluster), 1);
    }
    assertThat(file.cluster.openInputs()).isZero();
  }

  @Test
  void aNodeThatHasStalledIsNotAskedAnythingNewForAWhile() throws IOException {
    Replica silent = file.replica(0);
    try (StallLimit stalls = new StallLimit(NEVER)) {
      DataNodes timingOut =
          new DataNodes() {
            @Override
            public BlockInput open(Block block, Replica replica, long offset, long length)
                throws IOException {
              throw new AssertionError("asked again");
            }

            @Override
            public int checksum(Block block, Replica replica) throws IOException {
              throw new SocketTimeoutException("connect timed out");
            }
          };
      assertThatIOException()
          .isThrownBy(() -> stalls.reads(timingOut).checksum(file.block(0), silent));

      assertThatIOException()
          .isThrownBy(() -> read(stalls.reads(timingOut), 0))
          .isInstanceOf(SocketTimeoutException.class)
          .withMessageContaining("has just stalled");
      read(stalls.reads(file.cluster), 1);
    }
  }

  @Test
  void aNodeIsSlowWhileSomebodyHasWaitedForItThatLong() throws Exception {
    DataNode hanging = file.replica(0).node();
    file.cluster.slow(hanging);
    try (StallLimit stalls = new StallLimit(NEVER)) {
      Thread reader =
          new Thread(
              () -> {
                try {
                  read(stalls.reads(file.cluster), 0);
                } catch (IOException e) {
                  throw new AssertionError(e);
                }
              });
      reader.start();
      file.cluster.awaitBlockedReads(hanging, 1);

      assertThat(stalls.isSlow(hanging, Duration.ZERO)).isTrue();
      assertThat(stalls.isSlow(hanging, NEVER)).as("not for so long").isFalse();
      assertThat(stalls.isSlow(file.replica(1).node(), Duration.ZERO)).isFalse();

      file.cluster.release(hanging);
      reader.join();
      assertThat(stalls.isSlow(hanging, Duration.ZERO)).isFalse();
    }
  }

  @Test
  void anInterruptOfSomebodyElseStaysOne() throws IOException {
    file.cluster.slow(file.replica(0).node());
    try (StallLimit stalls = new StallLimit(NEVER)) {
      Thread.currentThread().interrupt();
      assertThatIOException()
          .isThrownBy(() -> read(stalls.reads(file.cluster), 0))
          .isInstanceOf(InterruptedIOException.class)
          .isNotInstanceOf(SocketTimeoutException.class);
      assertThat(Thread.interrupted()).as("the flag is kept").isTrue();
    }
  }
}
