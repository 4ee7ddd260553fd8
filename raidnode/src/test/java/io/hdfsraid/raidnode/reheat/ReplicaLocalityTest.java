// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.reheat;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.drfs.InMemoryCluster;
import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.recency.SettableClock;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ReplicaLocalityTest {
  private static final int BLOCK = 100;

  private final SettableClock clock = new SettableClock(Instant.EPOCH);
  private final InMemoryCluster cluster = new InMemoryCluster(5, 2, 6);
  private final ReadLocality locality = new ReplicaLocality(cluster, clock);
  private final long inode = cluster.createFile("/d/f", BLOCK, new byte[2 * BLOCK + 50], 1);

  private DataNode node(int index) throws IOException {
    return cluster.nodes().get(index).node();
  }

  private String machine(int index) throws IOException {
    return node(index).address().replaceAll(":\\d+$", "");
  }

  private void place(int block, int... nodes) throws IOException {
    DataNode[] onto = new DataNode[nodes.length];
    for (int i = 0; i < nodes.length; i++) {
      onto[i] = node(nodes[i]);
    }
    cluster.place(cluster.file(inode).orElseThrow().blocks().get(block).block().id(), onto);
  }

  @Test
  void aReadCountsByWhatIsNotOnTheMachineOfItsReader() throws IOException {
    place(0, 0);
    place(1, 1);
    place(2, 1, 2);

    assertThat(locality.offNode(inode, List.of(machine(0)))).hasValue(150.0 / 250);
    assertThat(locality.offNode(inode, List.of(machine(1)))).hasValue(100.0 / 250);
    assertThat(locality.offNode(inode, List.of(machine(2)))).hasValue(200.0 / 250);
    assertThat(locality.offNode(inode, List.of(machine(3)))).hasValue(1);
    assertThat(locality.offNode(inode, List.of(machine(3), machine(1), machine(3))))
        .hasValue(2 + 100.0 / 250);
  }

  @Test
  void whoeverHasNoDataNodeReadsOverTheNetworkAnyway() throws IOException {
    assertThat(locality.offNode(inode, List.of("10.9.9.9", ""))).hasValue(0);
  }

  @Test
  void whereDataNodesRunIsAskedForSeldom() throws IOException {
    place(0, 0);
    place(1, 0);
    place(2, 0);
    assertThat(locality.offNode(inode, List.of(machine(3)))).hasValue(1);
    String gone = machine(3);
    cluster.kill(node(3));

    clock.pass(Duration.ofMinutes(14));
    assertThat(locality.offNode(inode, List.of(gone))).hasValue(1);
    clock.pass(Duration.ofMinutes(1));
    assertThat(locality.offNode(inode, List.of(gone))).hasValue(0);
  }

  @Test
  void ofAFileThatIsGoneNothingIsKnown() throws IOException {
    cluster.delete("/d/f");
    assertThat(cluster.file(inode)).isEqualTo(Optional.empty());
    assertThat(locality.offNode(inode, List.of(machine(3)))).isEmpty();
  }

  @Test
  void anEmptyFileIsNowhere() throws IOException {
    long empty = cluster.createFile("/d/empty", BLOCK, new byte[0], 1);
    assertThat(locality.offNode(empty, List.of(machine(3)))).hasValue(0);
  }
}
