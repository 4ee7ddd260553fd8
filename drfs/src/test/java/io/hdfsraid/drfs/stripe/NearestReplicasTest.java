// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.stripe;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.Distance;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.block.ReaderLocation;
import io.hdfsraid.drfs.block.Replica;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class NearestReplicasTest {
  private static final ReaderLocation HERE =
      new ReaderLocation(Set.of("10.0.1.7"), Optional.of("/r1"));

  private static Replica on(int rack, int node) {
    return new Replica(
        new DataNode(
            "uuid-%d-%d".formatted(rack, node),
            "10.0.%d.%d:9866".formatted(rack, node),
            "dn%d-%d".formatted(rack, node),
            "/r" + rack),
        "DISK",
        true);
  }

  private static LocatedBlock block(Replica... live) {
    return new LocatedBlock(new Block(1, 1, 100), List.of(live), List.of());
  }

  @Test
  void aDistanceIsToldByAddressAndRack() {
    assertThat(HERE.distanceTo(on(1, 7).node())).isEqualTo(Distance.SAME_NODE);
    assertThat(HERE.distanceTo(on(1, 8).node())).isEqualTo(Distance.SAME_RACK);
    assertThat(HERE.distanceTo(on(2, 7).node())).isEqualTo(Distance.OFF_RACK);
    ReaderLocation lost = new ReaderLocation(Set.of("10.0.1.7"), Optional.empty());
    assertThat(lost.distanceTo(on(1, 7).node())).isEqualTo(Distance.SAME_NODE);
    assertThat(lost.distanceTo(on(1, 8).node())).isEqualTo(Distance.RACK_UNKNOWN);
    DataNode sixth = new DataNode("u", "[fd00:0:0:0:0:0:0:1]:9866", "h", "/r1");
    assertThat(new ReaderLocation(Set.of("fd00:0:0:0:0:0:0:1"), Optional.empty()).distanceTo(sixth))
        .isEqualTo(Distance.SAME_NODE);
  }

  @Test
  void theRackOfThisMachineIsThatOfItsDataNodeUnlessSomebodySays() {
    DataNode local = new DataNode("u", "127.0.0.1:9866", "localhost", "/r9");
    DataNode other = on(2, 2).node();
    assertThat(ReaderLocation.ofThisMachine(Optional.empty(), List.of(other, local)).rack())
        .contains("/r9");
    assertThat(ReaderLocation.ofThisMachine(Optional.empty(), List.of(other)).rack()).isEmpty();
    assertThat(ReaderLocation.ofThisMachine(Optional.of("/r3"), List.of(local)).rack())
        .contains("/r3");
  }

  /** In whatever order HDFS lists them. */
  @Test
  void theNearestReplicaIsFirst() {
    Replica node = on(1, 7);
    Replica rack = on(1, 8);
    Replica far = on(2, 1);
    for (List<Replica> listed :
        List.of(
            List.of(node, rack, far),
            List.of(node, far, rack),
            List.of(rack, node, far),
            List.of(rack, far, node),
            List.of(far, node, rack),
            List.of(far, rack, node))) {
      assertThat(new NearestReplicas(HERE).order(block(listed.toArray(Replica[]::new))))
          .containsExactly(node, rack, far);
    }
  }

  @Test
  void aReplicaOnANodeThatLeavesIsLast() {
    Replica leaving = new Replica(on(1, 7).node(), "DISK", false);
    assertThat(new NearestReplicas(HERE).order(block(leaving, on(2, 1))))
        .containsExactly(on(2, 1), leaving);
  }

  @Test
  void amongEquallyNearReplicasReadsSpreadOverTheNodes() {
    NearestReplicas nearest = new NearestReplicas(HERE);
    Map<Replica, Integer> first = new HashMap<>();
    List<Replica> nodes = new ArrayList<>();
    for (int i = 1; i <= 4; i++) {
      nodes.add(on(2, i));
    }
    for (int i = 0; i < 400; i++) {
      // As HDFS does, the one that the writer was on stands always first.
      first.merge(nearest.order(block(nodes.toArray(Replica[]::new))).get(0), 1, Integer::sum);
    }
    assertThat(first.values()).as("%s", first).containsOnly(100);
  }

  @Test
  void aNewNodeIsNotFloodedUntilItIsLevel() {
    NearestReplicas nearest = new NearestReplicas(HERE);
    Replica[] old = {on(2, 1), on(2, 2)};
    for (int i = 0; i < 1_000; i++) {
      nearest.order(block(old));
    }
    Replica[] all = {on(2, 1), on(2, 2), on(2, 3)};
    long toNew =
        Arrays.stream(new int[300])
            .filter(i -> nearest.order(block(all)).get(0).equals(on(2, 3)))
            .count();
    assertThat(toNew).isEqualTo(100);
  }
}
