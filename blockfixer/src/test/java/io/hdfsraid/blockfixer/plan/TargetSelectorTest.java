// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.blockfixer.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.namespace.NodeState;
import io.hdfsraid.drfs.namespace.StorageState;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TargetSelectorTest {
  private static final long ROOM = 1L << 40;
  private static final int UNIT = 99;
  private static final List<String> DISK = List.of("DISK");

  private static DataNode node(int index, int racks) {
    return new DataNode(
        "dn-" + index, "10.0.0." + index + ":9866", "h" + index, "/rack" + index % racks);
  }

  private static List<NodeState> nodes(int count, int racks) {
    return IntStream.range(0, count)
        .mapToObj(i -> new NodeState(node(i, racks), true, ROOM, 0))
        .toList();
  }

  private static DeliveryTarget choose(
      long seed, Occupancy occupancy, Set<DataNode> excluded, List<NodeState> nodes) {
    return new TargetSelector(new Random(seed))
        .choose(occupancy, UNIT, 1000, DISK, excluded, nodes)
        .orElseThrow();
  }

  @Test
  void aNodeWithoutAnotherUnitIsTakenWheneverThereIsOne() {
    for (int free = 0; free < 14; free++) {
      Occupancy occupancy = new Occupancy();
      int othersInRack = 0;
      for (int i = 0; i < 14; i++) {
        if (i != free) {
          occupancy.add(i, node(i, 4));
          othersInRack += i % 4 == free % 4 ? 1 : 0;
        }
      }
      for (long seed = 0; seed < 20; seed++) {
        DeliveryTarget target = choose(seed, occupancy, Set.of(), nodes(14, 4));
        assertThat(target)
            .as("seed %d", seed)
            .isEqualTo(new DeliveryTarget(node(free, 4), "DISK", 0, othersInRack));
      }
    }
  }

  @Test
  void theUnitsOwnOldPlaceDoesNotCount() {
    Occupancy occupancy = new Occupancy();
    occupancy.add(UNIT, node(0, 1));

    assertThat(choose(1, occupancy, Set.of(), nodes(1, 1)).crowded(1)).isFalse();
  }

  @Test
  void aPlaceIsCrowdedWhenItsNodeIsSharedOrItsRackHoldsMoreThanIsNeeded() {
    assertThat(new DeliveryTarget(node(0, 1), "DISK", 1, 1).crowded(9)).as("shared").isTrue();
    assertThat(new DeliveryTarget(node(0, 1), "DISK", 0, 2).crowded(3))
        .as("third of three")
        .isFalse();
    assertThat(new DeliveryTarget(node(0, 1), "DISK", 0, 3).crowded(3))
        .as("fourth of three")
        .isTrue();
  }

  @Test
  void theLeastCrowdedPlaceIsTakenRatherThanNone() {
    Occupancy occupancy = new Occupancy();
    occupancy.add(0, node(0, 2));
    occupancy.add(1, node(0, 2));
    occupancy.add(2, node(1, 2));

    assertThat(choose(1, occupancy, Set.of(), nodes(2, 2)))
        .isEqualTo(new DeliveryTarget(node(1, 2), "DISK", 1, 1));
    assertThat(choose(1, occupancy, Set.of(node(1, 2)), nodes(2, 2)))
        .isEqualTo(new DeliveryTarget(node(0, 2), "DISK", 2, 2));
  }

  @Test
  void theRackWithFewestUnitsIsPreferred() {
    Occupancy occupancy = new Occupancy();
    occupancy.add(0, node(0, 3));
    occupancy.add(1, node(3, 3));
    occupancy.add(2, node(1, 3));

    for (long seed = 0; seed < 20; seed++) {
      assertThat(choose(seed, occupancy, Set.of(), nodes(12, 3)).node().rack()).isEqualTo("/rack2");
    }
  }

  @Test
  void nodesOutOfServiceWithoutRoomOrExcludedAreNotTaken() {
    NodeState leaving = new NodeState(node(0, 1), false, ROOM, 0);
    NodeState full = new NodeState(node(1, 1), true, 1000, ROOM);
    NodeState excluded = new NodeState(node(2, 1), true, ROOM, 0);

    assertThat(
            new TargetSelector(new Random(1))
                .choose(
                    new Occupancy(),
                    UNIT,
                    1000,
                    DISK,
                    Set.of(excluded.node()),
                    List.of(leaving, full, excluded)))
        .isEmpty();
  }

  @Test
  void aNodeCountsOnlyIfOneOfItsVolumesOfTheMediumHasRoom() {
    NodeState otherMedium = node(0, storage("DISK", ROOM));
    NodeState fullThere = node(1, storage("DISK", ROOM), storage("ARCHIVE", 1000));
    NodeState inPieces = node(2, storage("ARCHIVE", 1000), storage("ARCHIVE", 1000));
    NodeState right = node(3, storage("DISK", 0), storage("ARCHIVE", 1016));
    Occupancy occupancy = new Occupancy();
    occupancy.add(0, right.node());
    TargetSelector selector = new TargetSelector(new Random(1));
    List<NodeState> nodes = List.of(otherMedium, fullThere, inPieces, right);
    List<String> media = List.of("ARCHIVE", "DISK");

    assertThat(selector.choose(occupancy, UNIT, 1000, media, Set.of(), nodes))
        .as("its own medium, though other nodes hold nothing of the stripe")
        .contains(new DeliveryTarget(right.node(), "ARCHIVE", 1, 1));
    assertThat(selector.choose(occupancy, UNIT, 1000, media, Set.of(right.node()), nodes))
        .as("another medium rather than none")
        .get()
        .satisfies(
            target -> {
              assertThat(target.storageType()).isEqualTo("DISK");
              assertThat(target.node()).isIn(otherMedium.node(), fullThere.node());
            });
    assertThat(selector.choose(occupancy, UNIT, 1000, List.of("SSD"), Set.of(), nodes)).isEmpty();
  }

  private static StorageState storage(String medium, long remaining) {
    return new StorageState("DS", medium, remaining, 0);
  }

  private static NodeState node(int index, StorageState... storages) {
    long remaining = Arrays.stream(storages).mapToLong(StorageState::remaining).sum();
    return new NodeState(node(index, 4), true, remaining, 0, List.of(storages));
  }

  @Test
  void emptierNodesGetMoreButNotAll() {
    List<NodeState> nodes =
        IntStream.range(0, 10)
            .mapToObj(
                i -> new NodeState(node(i, 1), true, ROOM / 10 * (i + 1), ROOM / 10 * (9 - i)))
            .toList();
    TargetSelector choice = new TargetSelector(new Random(5));
    Map<DataNode, Integer> chosen = new HashMap<>();
    for (int i = 0; i < 1000; i++) {
      DeliveryTarget target =
          choice.choose(new Occupancy(), UNIT, 1000, DISK, new HashSet<>(), nodes).orElseThrow();
      chosen.merge(target.node(), 1, Integer::sum);
    }

    assertThat(chosen.get(node(9, 1))).isBetween(100, 300);
    assertThat(chosen.get(node(9, 1))).isGreaterThan(3 * chosen.get(node(0, 1)));
    assertThat(chosen).hasSize(10);
  }
}
