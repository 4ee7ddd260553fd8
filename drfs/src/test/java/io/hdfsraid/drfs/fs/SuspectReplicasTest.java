// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.fs;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.BlockInput;
import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.DataNodes;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.drfs.block.ReplicaGoneException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SuspectReplicasTest {
  private static final DataNode NODE = new DataNode("uuid", "127.0.0.1:9866", "host", "/rack");
  private static final Replica REPLICA = new Replica(NODE, "DISK", true);

  private final List<Long> reported = new ArrayList<>();
  private long now;
  private final SuspectReplicas suspects = new SuspectReplicas(Runnable::run, () -> now);
  private Optional<IOException> answer = Optional.empty();
  private boolean listed = true;

  private static Block block(long id) {
    return new Block(id, 1001, 100);
  }

  private void suspect(long id) {
    suspects.suspect(
        block(id),
        REPLICA,
        0,
        new NoReplicas(),
        block ->
            Optional.of(new LocatedBlock(block, listed ? List.of(REPLICA) : List.of(), List.of())),
        (block, replica) -> reported.add(block.id()));
  }

  /** Has none, or does not answer. */
  private final class NoReplicas implements DataNodes {
    @Override
    public BlockInput open(Block block, Replica replica, long offset, long length)
        throws IOException {
      throw answer.orElseGet(() -> new ReplicaGoneException(block, NODE, null));
    }

    @Override
    public int checksum(Block block, Replica replica) {
      throw new AssertionError("not asked here");
    }
  }

  @Test
  void aReplicaThatIsGoneIsReportedOnceIfItIsStillListed() {
    suspect(1);
    suspect(1);
    assertThat(reported).containsExactly(1L);
    listed = false;
    suspect(2);
    assertThat(reported).containsExactly(1L);
    listed = true;
    suspect(2);
    assertThat(reported).as("listed again, and bad").containsExactly(1L, 2L);
  }

  @Test
  void aNodeThatDoesNotAnswerSaysNothingAndIsAskedAgain() {
    answer = Optional.of(new IOException("connection refused"));
    suspect(1);
    assertThat(reported).isEmpty();
    answer = Optional.empty();
    suspect(1);
    assertThat(reported).containsExactly(1L);
  }

  @Test
  void veryManyAreLookedAtMinuteByMinute() {
    int many = 2 * SuspectReplicas.MOST_IN_A_MINUTE;
    for (int minute = 1; minute <= 3; minute++) {
      for (long id = 0; id < many; id++) {
        suspect(id);
      }
      assertThat(reported)
          .as("after %d minutes", minute)
          .hasSize(Math.min(many, minute * SuspectReplicas.MOST_IN_A_MINUTE))
          .doesNotHaveDuplicates();
      now += TimeUnit.MINUTES.toNanos(1) - 1;
      suspect(many);
      now += 1;
    }
  }
}
