// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.upkeep;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.raidnode.raiding.core.AwaitedReports;
import io.hdfsraid.raidnode.raiding.core.BlockReports;
import io.hdfsraid.recency.SettableClock;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Which DataNodes are asked for block reports, and how often. */
class BlockReportJobTest {
  private static final Instant START = Instant.parse("2029-06-01T00:00:00Z");
  private static final DataNode A = new DataNode("a", "10.0.0.1:9866", "node1", "/a");
  private static final DataNode B = new DataNode("b", "10.0.0.2:9866", "node2", "/b");

  private final SettableClock time = new SettableClock(START);
  private final List<DataNode> asked = new ArrayList<>();
  private final Set<DataNode> dead = new HashSet<>();
  private Optional<AwaitedReports.Wait> awaited = Optional.empty();
  private Optional<String> active = Optional.of("nn1");

  private final BlockReportJob job =
      new BlockReportJob(
          () -> awaited,
          new BlockReports() {
            @Override
            public void request(DataNode node) throws IOException {
              ask(node);
            }

            @Override
            public String activeNameNode() throws IOException {
              return active.orElseThrow(() -> new IOException("none is active"));
            }
          },
          time);

  private void ask(DataNode node) throws IOException {
    asked.add(node);
    if (dead.contains(node)) {
      throw new IOException(node + " is not alive");
    }
  }

  private void seen(DataNode... nodes) {
    seen(START, nodes);
  }

  private void seen(Instant since, DataNode... nodes) {
    awaited = Optional.of(new AwaitedReports.Wait(since, Set.of(nodes)));
  }

  private void runAfter(Duration pause) {
    time.pass(pause);
    job.run();
  }

  @Test
  void eachDataNodeIsAskedOnceAndOneInEachRun() {
    seen(A, B);
    runAfter(Duration.ofSeconds(119));
    assertThat(asked).as("they may report by themselves").isEmpty();

    runAfter(Duration.ofSeconds(1));
    assertThat(asked).hasSize(1);
    runAfter(Duration.ofSeconds(5));
    assertThat(asked).containsExactlyInAnyOrder(A, B);
    runAfter(Duration.ofMinutes(59));
    assertThat(asked).hasSize(2);

    runAfter(Duration.ofMinutes(1));
    assertThat(asked).as("after an hour").hasSize(3);
  }

  @Test
  void eachIsAskedAgainAfterAFurtherFailover() {
    seen(A);
    runAfter(Duration.ofMinutes(2));
    assertThat(asked).containsExactly(A);
    awaited = Optional.empty();
    runAfter(Duration.ofSeconds(5));

    seen(START.plus(Duration.ofMinutes(3)), A);
    runAfter(Duration.ofMinutes(2));
    assertThat(asked).as("they may report by themselves").containsExactly(A);
    runAfter(Duration.ofMinutes(1));
    assertThat(asked).containsExactly(A, A);
  }

  /** Shows a second failover, before the reports that were requested after the first were used. */
  @Test
  void eachIsAskedAgainIfAnotherNameNodeIsActiveThoughTheWaitGoesOn() {
    seen(A);
    runAfter(Duration.ofMinutes(2));
    assertThat(asked).containsExactly(A);

    active = Optional.empty();
    runAfter(Duration.ofMinutes(5));
    active = Optional.of("nn2");
    runAfter(Duration.ofSeconds(5));
    runAfter(Duration.ofSeconds(119));
    assertThat(asked).as("they may report by themselves").containsExactly(A);
    runAfter(Duration.ofSeconds(1));
    assertThat(asked).containsExactly(A, A);
    runAfter(Duration.ofMinutes(59));
    assertThat(asked).containsExactly(A, A);
  }

  @Test
  void oneThatCannotBeAskedHoldsUpNoOther() {
    dead.addAll(Set.of(A, B));
    seen(A, B);
    runAfter(Duration.ofMinutes(2));
    runAfter(Duration.ofSeconds(5));
    assertThat(asked).containsExactlyInAnyOrder(A, B);
    runAfter(Duration.ofSeconds(54));
    assertThat(asked).hasSize(2);
    runAfter(Duration.ofSeconds(1));
    assertThat(asked).as("tried again after a minute").hasSize(3);
  }

  @Test
  void aClockThatIsSetBackHoldsUpNoRequest() {
    seen(A);
    runAfter(Duration.ofHours(30));
    time.pass(Duration.ofHours(-20));
    job.run();
    assertThat(asked).containsExactly(A, A);
  }
}
