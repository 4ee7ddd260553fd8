// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.blockfixer.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsraid.blockfixer.placement.ParityNodes.PlacementRequest;
import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.drfs.namespace.NodeState;
import io.hdfsraid.drfs.namespace.StoragePolicy;
import io.hdfsraid.drfs.namespace.StorageState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ParityNodesTest {
  private static final long LENGTH = 1_000;
  private static final long ROOM = 1_000_000;

  private final ParityBytes parity = new ParityBytes();
  private final ParityNodes places = new ParityNodes(parity);

  private static DataNode node(int i, int racks) {
    return new DataNode("dn-" + i, "10.0.0.%d:9866".formatted(i), "node" + i, "/rack" + i % racks);
  }

  private static List<NodeState> nodes(int count, int racks) {
    return new ArrayList<>(
        IntStream.range(0, count)
            .mapToObj(i -> new NodeState(node(i, racks), true, ROOM, ROOM))
            .toList());
  }

  /** Unit i has replicas on three nodes and will stay on the first. */
  private static PlacementRequest stripe(
      int units, int parityUnits, List<NodeState> nodes, Random random) {
    List<LocatedBlock> data = new ArrayList<>();
    List<Map<DataNode, Double>> odds = new ArrayList<>();
    for (int unit = 0; unit < units; unit++) {
      Set<DataNode> onto = new HashSet<>();
      while (onto.size() < 3) {
        onto.add(nodes.get(random.nextInt(nodes.size())).node());
      }
      List<Replica> replicas = onto.stream().map(each -> new Replica(each, "DISK", true)).toList();
      data.add(new LocatedBlock(new Block(unit, 1, LENGTH), replicas, List.of()));
      odds.add(Map.of(replicas.get(0).node(), 1.0));
    }
    return new PlacementRequest(data, odds, parityUnits, LENGTH, StoragePolicy.UNSPECIFIED);
  }

  @Test
  void parityGoesToNodesOfItsOwnAndCrowdsNoRack() {
    for (int seed = 0; seed < 200; seed++) {
      List<NodeState> nodes = nodes(20, 5);
      PlacementRequest stripe = stripe(6, 3, nodes, new Random(seed));

      List<DataNode> chosen = places.choose(stripe, nodes, new Random(seed));

      assertThat(chosen).as("seed %d", seed).hasSize(3).doesNotHaveDuplicates();
      Map<String, Integer> dataInRack = new HashMap<>();
      for (Map<DataNode, Double> odds : stripe.odds()) {
        DataNode keeps = odds.keySet().iterator().next();
        assertThat(chosen).as("seed %d", seed).doesNotContain(keeps);
        dataInRack.merge(keeps.rack(), 1, Integer::sum);
      }
      Map<String, Integer> inRack = new HashMap<>(dataInRack);
      chosen.forEach(each -> inRack.merge(each.rack(), 1, Integer::sum));
      inRack.forEach(
          (rack, count) ->
              assertThat(count).isLessThanOrEqualTo(Math.max(2, dataInRack.getOrDefault(rack, 0))));
    }
  }

  @Test
  void parityOfManyStripesIsSpreadEvenlyOverTheNodes() {
    List<NodeState> nodes = nodes(50, 5);
    Random random = new Random(1);
    for (int i = 0; i < 2_000; i++) {
      places.choose(stripe(10, 4, nodes, random), nodes, random);
    }

    LongSummaryStatistics bytes =
        nodes.stream().mapToLong(state -> parity.on(state.node())).summaryStatistics();
    assertThat(bytes.getSum()).isEqualTo(2_000 * 4 * LENGTH);
    assertThat(bytes.getMax()).isLessThan((long) (1.1 * bytes.getAverage()));
  }

  @Test
  void aNewEmptyNodeIsNotFilledWithParityAlone() {
    List<NodeState> nodes = nodes(20, 5);
    for (NodeState state : nodes) {
      parity.added(state.node(), 100 * LENGTH);
    }
    DataNode fresh = node(20, 5);
    nodes.add(new NodeState(fresh, true, 2 * ROOM, 0));
    Random random = new Random(1);

    List<DataNode> next = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      next.addAll(places.choose(stripe(6, 3, nodes.subList(0, 20), random), nodes, random));
    }

    assertThat(next.stream().filter(fresh::equals).count()).isBetween(1L, 9L);
  }

  @Test
  void leavingFullAndNearlyFullNodesAreAvoided() {
    List<NodeState> nodes = nodes(8, 1);
    nodes.set(0, new NodeState(node(0, 1), false, ROOM, ROOM));
    nodes.set(1, new NodeState(node(1, 1), true, LENGTH - 1, ROOM));
    nodes.set(2, new NodeState(node(2, 1), true, 2 * LENGTH, ROOM));
    PlacementRequest alone =
        new PlacementRequest(List.of(), List.of(), 5, LENGTH, StoragePolicy.UNSPECIFIED);
    for (int seed = 0; seed < 20; seed++) {
      assertThat(places.choose(alone, nodes, new Random(seed)))
          .doesNotContain(node(0, 1), node(1, 1), node(2, 1));
    }
    PlacementRequest more =
        new PlacementRequest(List.of(), List.of(), 6, LENGTH, StoragePolicy.UNSPECIFIED);
    assertThat(places.choose(more, nodes, new Random(1))).contains(node(2, 1));
    PlacementRequest tooMany =
        new PlacementRequest(List.of(), List.of(), 7, LENGTH, StoragePolicy.UNSPECIFIED);
    assertThatThrownBy(() -> places.choose(tooMany, nodes, new Random(1)))
        .hasMessageContaining("6 DataNodes in service have room for 1000 bytes on DISK");
  }

  @Test
  void parityFollowsTheMediumOfItsSourceAndFallsBackAsItDoes() {
    List<NodeState> nodes = nodes(6, 2);
    for (int i = 0; i < 3; i++) {
      nodes.set(
          i,
          new NodeState(
              node(i, 2), true, ROOM, 0, List.of(new StorageState("DS", "SSD", ROOM, 0))));
    }
    StoragePolicy ssd = new StoragePolicy("ALL_SSD", List.of("SSD", "DISK"));

    assertThat(
            places.choose(
                new PlacementRequest(List.of(), List.of(), 3, LENGTH, ssd), nodes, new Random(1)))
        .containsExactlyInAnyOrder(node(0, 2), node(1, 2), node(2, 2));
    assertThat(
            places.choose(
                new PlacementRequest(List.of(), List.of(), 5, LENGTH, ssd), nodes, new Random(1)))
        .hasSize(5);
    StoragePolicy archive = new StoragePolicy("COLD", List.of("ARCHIVE"));
    assertThatThrownBy(
            () ->
                places.choose(
                    new PlacementRequest(List.of(), List.of(), 2, LENGTH, archive),
                    nodes,
                    new Random(1)))
        .hasMessageContaining("on ARCHIVE");
  }
}
