// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.blockfixer.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.drfs.namespace.NodeState;
import io.hdfsraid.drfs.namespace.StoragePolicy;
import io.hdfsraid.drfs.namespace.StorageState;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class KeptReplicaForecastTest {
  private static final DataNode A = node("a");
  private static final DataNode B = node("b");
  private static final DataNode C = node("c");

  private static DataNode node(String name) {
    return new DataNode(name, name + ":9866", name, "/rack-" + name);
  }

  private static NodeState state(DataNode node, long remaining) {
    return new NodeState(node, true, remaining, 1_000_000 - remaining);
  }

  private static LocatedBlock block(Replica... replicas) {
    return new LocatedBlock(new Block(1, 1, 100), List.of(replicas), List.of());
  }

  private static Replica on(DataNode node) {
    return new Replica(node, "DISK", true);
  }

  @Test
  void theReplicaWithMostFreeSpaceStays() {
    KeptReplicaForecast kept =
        new KeptReplicaForecast(List.of(state(A, 300_000), state(B, 500_000), state(C, 400_000)));

    assertThat(kept.odds(block(on(A), on(B), on(C)), StoragePolicy.UNSPECIFIED))
        .isEqualTo(Map.of(B, 1.0));
  }

  @Test
  void spaceThatDiffersByLessThanTrafficMayChangeSaysNothing() {
    KeptReplicaForecast kept =
        new KeptReplicaForecast(List.of(state(A, 300_000), state(B, 500_000), state(C, 499_500)));

    assertThat(kept.odds(block(on(A), on(B), on(C)), StoragePolicy.UNSPECIFIED))
        .isEqualTo(Map.of(B, 0.5, C, 0.5));
  }

  @Test
  void theVolumeCountsAndNotTheNode() {
    NodeState many =
        new NodeState(
            A,
            true,
            900_000,
            100_000,
            List.of(
                new StorageState("full", "DISK", 10_000, 50_000),
                new StorageState("empty", "DISK", 890_000, 50_000)));
    KeptReplicaForecast kept = new KeptReplicaForecast(List.of(many, state(B, 500_000)));

    assertThat(
            kept.odds(
                block(new Replica(A, "full", "DISK", true), on(B)), StoragePolicy.UNSPECIFIED))
        .isEqualTo(Map.of(B, 1.0));
    assertThat(
            kept.odds(
                block(new Replica(A, "empty", "DISK", true), on(B)), StoragePolicy.UNSPECIFIED))
        .isEqualTo(Map.of(A, 1.0));
  }

  @Test
  void whatIsNotOnTheMediumThePolicyWantsGoesFirst() {
    KeptReplicaForecast kept =
        new KeptReplicaForecast(List.of(state(A, 300_000), state(B, 900_000)));

    assertThat(
            kept.odds(
                block(new Replica(A, "SSD", true), on(B)),
                new StoragePolicy("ONE_SSD", List.of("SSD", "DISK"))))
        .isEqualTo(Map.of(A, 1.0));
  }

  @Test
  void replicasOnLeavingNodesDoNotStay() {
    KeptReplicaForecast kept =
        new KeptReplicaForecast(List.of(state(A, 300_000), state(B, 900_000)));

    assertThat(kept.odds(block(on(A), new Replica(B, "DISK", false)), StoragePolicy.UNSPECIFIED))
        .isEqualTo(Map.of(A, 1.0));
    assertThat(kept.odds(block(), StoragePolicy.UNSPECIFIED)).isEmpty();
  }
}
