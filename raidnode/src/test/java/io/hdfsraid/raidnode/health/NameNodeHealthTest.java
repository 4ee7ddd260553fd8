// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.health;

import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.health.HealthCheck;
import io.hdfsraid.drfs.InMemoryCluster;
import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.namespace.NodeState;
import io.hdfsraid.raidnode.hdfs.NameNodeTrouble;
import io.hdfsraid.raidnode.hdfs.Ownership;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class NameNodeHealthTest {
  private static final Instant NOON = Instant.parse("2029-06-01T12:00:00Z");
  private static final Clock CLOCK = Clock.fixed(NOON, ZoneOffset.UTC);

  private final InMemoryCluster cluster = new InMemoryCluster(2, 1, 1);
  private final DataNodesWatch dataNodes = new DataNodesWatch(cluster, CLOCK);
  private final CountDownLatch asked = new CountDownLatch(1);
  private final CountDownLatch answered = new CountDownLatch(1);
  private volatile Optional<NameNodeTrouble> trouble = Optional.empty();
  private volatile Duration passed = Duration.ZERO;

  private final NameNodeWatch watch =
      new NameNodeWatch(
          "hdfs://nn1:8020",
          () -> {
            asked.countDown();
            await(answered);
            return trouble;
          },
          CLOCK,
          () -> passed.toNanos());

  private final HealthCheck health = new NameNodeHealth(watch, dataNodes, CLOCK);

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aNameNodeThatHangsIsUnhealthyAndIsNotWaitedFor() throws Exception {
    trouble = Optional.of(NameNodeTrouble.silence("no answer in time"));
    FutureTask<Void> look = new FutureTask<>(watch::look, null);
    new Thread(look, "look").start();
    asked.await();
    passed = NameNodeHealth.LONG;
    assertThat(health.execute().isHealthy()).isTrue();

    passed = NameNodeHealth.LONG.plusSeconds(2);
    assertThat(health.execute().getMessage()).isEqualTo("The NameNode has not answered for 12 s");

    answered.countDown();
    look.get();
    assertThat(health.execute().getMessage())
        .startsWith("NameNode hdfs://nn1:8020 has not answered since 2029-06-01T12:00:00Z (0 min)");

    trouble = Optional.empty();
    watch.look();
    assertThat(health.execute().isHealthy()).isTrue();
  }

  @Test
  void aNameNodeThatKnowsNoLiveDataNodeIsUnhealthy() throws IOException {
    assertThat(health.execute().isHealthy()).as("before they are counted").isTrue();

    dataNodes.look();
    assertThat(health.execute().getMessage()).isEqualTo("2 live DataNodes");

    List<DataNode> all = cluster.nodes().stream().map(NodeState::node).toList();
    all.forEach(cluster::kill);
    dataNodes.look();
    assertThat(health.execute().getMessage())
        .isEqualTo("The NameNode answers, but knows no live DataNode");
  }

  @Test
  void aNodeThatWasNeverHeardOfWasNotHeardOfIn1970() throws IOException {
    DataNode node = cluster.nodes().get(0).node();
    cluster.setTime(Instant.EPOCH);
    cluster.kill(node);

    assertThat(dataNodes.look())
        .filteredOn(seen -> seen.node().equals(node))
        .singleElement()
        .satisfies(seen -> assertThat(seen.lastHeard()).isEmpty());
  }

  @Test
  void onlyAnOwnershipThatIsHeldIsHealthy() {
    for (Ownership.State state : Ownership.State.values()) {
      HealthCheck.Result result =
          new OwnerHealth(() -> new Ownership(state, "It is so.")).execute();
      assertThat(result.isHealthy()).as("%s", state).isEqualTo(state == Ownership.State.HELD);
      assertThat(result.getMessage()).isEqualTo(result.isHealthy() ? null : "It is so.");
    }
  }
}
