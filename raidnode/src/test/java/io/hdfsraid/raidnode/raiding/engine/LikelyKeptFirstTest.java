// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.raiding.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.blockfixer.placement.KeptReplicaForecast;
import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.block.ReaderLocation;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.drfs.namespace.NodeState;
import io.hdfsraid.drfs.namespace.StoragePolicy;
import io.hdfsraid.drfs.stripe.ReplicaPreference;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LikelyKeptFirstTest {
  private static final Replica NEAREST = on("a");
  private static final Replica OTHER = on("b");
  private static final Replica FARTHEST = on("c");
  private static final LocatedBlock BLOCK =
      new LocatedBlock(new Block(1, 1, 100), List.of(OTHER, NEAREST, FARTHEST), List.of());

  private static Replica on(String name) {
    return new Replica(new DataNode(name, name + ":9866", name, "/" + name), "DISK", true);
  }

  private static NodeState state(Replica replica, long remaining) {
    return new NodeState(replica.node(), true, remaining, 1_000_000 - remaining);
  }

  private static List<Replica> ordered(Optional<String> rack, NodeState... nodes) {
    ReplicaPreference byName =
        block ->
            block.live().stream()
                .sorted((one, two) -> one.node().uuid().compareTo(two.node().uuid()))
                .toList();
    return new LikelyKeptFirst(
            byName,
            new ReaderLocation(Set.of(), rack),
            new KeptReplicaForecast(List.of(nodes)),
            StoragePolicy.UNSPECIFIED)
        .order(BLOCK);
  }

  @Test
  void ofReplicasThatAreEquallyNearTheOneThatStaysIsRead() {
    assertThat(
            ordered(
                Optional.of("/elsewhere"),
                state(NEAREST, 100_000),
                state(OTHER, 200_000),
                state(FARTHEST, 900_000)))
        .containsExactly(FARTHEST, OTHER, NEAREST);
  }

  @Test
  void aReplicaInOurRackIsReadAlsoIfItGoes() {
    assertThat(
            ordered(
                Optional.of("/a"),
                state(NEAREST, 100_000),
                state(OTHER, 200_000),
                state(FARTHEST, 900_000)))
        .startsWith(NEAREST);
  }

  @Test
  void ofThoseThatAreEquallyLikelyToStayTheNearestIsRead() {
    assertThat(
            ordered(
                Optional.empty(),
                state(NEAREST, 100_000),
                state(OTHER, 900_000),
                state(FARTHEST, 900_000)))
        .startsWith(OTHER, FARTHEST)
        .hasSize(3);
  }
}
