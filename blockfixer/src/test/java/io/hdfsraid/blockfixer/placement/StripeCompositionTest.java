// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.blockfixer.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.drfs.stripe.StripeComposer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class StripeCompositionTest {
  private static DataNode node(int i, int racks) {
    return new DataNode(
        "dn-" + i, "10.0.%d.%d:9866".formatted(i / 250, i % 250), "node" + i, "/rack" + i % racks);
  }

  /** Blocks whose kept replica is certain. */
  private static List<Map<DataNode, Double>> certain(int blocks, int nodes, int racks, long seed) {
    Random random = new Random(seed);
    return IntStream.range(0, blocks)
        .mapToObj(i -> Map.of(node(random.nextInt(nodes), racks), 1.0))
        .toList();
  }

  private static double meetings(List<List<Integer>> stripes, List<Map<DataNode, Double>> odds) {
    double sum = 0;
    for (List<Integer> stripe : stripes) {
      for (int one : stripe) {
        for (int other : stripe) {
          if (one < other) {
            for (Map.Entry<DataNode, Double> place : odds.get(one).entrySet()) {
              sum += place.getValue() * odds.get(other).getOrDefault(place.getKey(), 0.0);
            }
          }
        }
      }
    }
    return sum;
  }

  private static int crowding(
      List<List<Integer>> stripes, List<Map<DataNode, Double>> odds, int limit) {
    int sum = 0;
    for (List<Integer> stripe : stripes) {
      Map<String, Integer> inRack = new HashMap<>();
      for (int block : stripe) {
        inRack.merge(odds.get(block).keySet().iterator().next().rack(), 1, Integer::sum);
      }
      sum += inRack.values().stream().mapToInt(count -> Math.max(0, count - limit)).sum();
    }
    return sum;
  }

  @Test
  void everyBlockIsInOneStripeAndSizesAreThoseInFileOrder() {
    for (int blocks : new int[] {0, 1, 9, 10, 11, 57, 200}) {
      var odds = certain(blocks, 7, 3, blocks);

      var composed = StripeComposition.compose(10, odds, 2);

      assertThat(composed.stream().flatMap(List::stream))
          .as("%d blocks", blocks)
          .containsExactlyInAnyOrderElementsOf(IntStream.range(0, blocks).boxed().toList());
      assertThat(composed)
          .extracting(List::size)
          .isEqualTo(StripeComposer.compose(blocks, 10).stream().map(List::size).toList());
    }
  }

  @Test
  void whatNeedsNoMoveStaysInFileOrder() {
    List<Map<DataNode, Double>> odds =
        IntStream.range(0, 100).mapToObj(i -> Map.of(node(i % 10, 5), 1.0)).toList();

    assertThat(StripeComposition.compose(10, odds, 3)).isEqualTo(StripeComposer.compose(100, 10));
  }

  @Test
  void unitsThatWouldShareANodeAreParted() {
    for (int seed = 0; seed < 20; seed++) {
      var odds = certain(200, 100, 20, seed);
      double before = meetings(StripeComposer.compose(200, 10), odds);

      double after = meetings(StripeComposition.compose(10, odds, 14), odds);

      assertThat(before).as("seed %d", seed).isGreaterThan(2);
      assertThat(after).as("seed %d", seed).isZero();
    }
  }

  @Test
  void racksThatWouldBeCrowdedAreRelieved() {
    for (int seed = 0; seed < 20; seed++) {
      var odds = certain(200, 100, 5, seed);
      int before = crowding(StripeComposer.compose(200, 10), odds, 3);

      int after = crowding(StripeComposition.compose(10, odds, 3), odds, 3);

      assertThat(before).as("seed %d", seed).isGreaterThan(10);
      assertThat(after).as("seed %d", seed).isLessThan(before / 4);
    }
  }

  /** Block i has replicas on three nodes of its own, all equally likely. */
  private static List<Map<DataNode, Double>> uncertain(int blocks) {
    List<Map<DataNode, Double>> odds = new ArrayList<>();
    for (int block = 0; block < blocks; block++) {
      Map<DataNode, Double> places = new LinkedHashMap<>();
      for (int i = 0; i < 3; i++) {
        places.put(node(3 * block + i, 1), 1.0 / 3);
      }
      odds.add(places);
    }
    return odds;
  }

  @Test
  void anExchangeIsMadeForAThirdOfAMoveAndNotForANinth() {
    List<Map<DataNode, Double>> sameNodes = uncertain(20);
    sameNodes.set(1, sameNodes.get(0));
    List<Map<DataNode, Double>> oneNode = uncertain(20);
    oneNode.set(1, Map.of(node(0, 1), 1.0 / 3, node(900, 1), 1.0 / 3, node(901, 1), 1.0 / 3));

    assertThat(meetings(StripeComposition.compose(10, sameNodes, 20), sameNodes)).isZero();
    assertThat(StripeComposition.compose(10, oneNode, 20))
        .isEqualTo(StripeComposer.compose(20, 10));
  }

  @Test
  void theSameInputGivesTheSameStripesAndUnitsStayWithinReach() {
    var odds = certain(10_000, 50, 5, 3);

    var composed = StripeComposition.compose(10, odds, 3);

    assertThat(StripeComposition.compose(10, odds, 3)).isEqualTo(composed);
    List<Integer> differences = new ArrayList<>();
    for (int stripe = 0; stripe < composed.size(); stripe++) {
      for (int block : composed.get(stripe)) {
        differences.add(Math.abs(block / 10 - stripe));
      }
    }
    assertThat(differences).allMatch(apart -> apart <= 3 * 6 * 2);
    assertThat(new HashSet<>(composed.stream().flatMap(List::stream).toList())).hasSize(10_000);
  }

  /** Blocks with three replicas, placed as HDFS does; the first one stays. */
  private static List<LocatedBlock> written(int blocks, int nodes, int racks, long seed) {
    Random random = new Random(seed);
    List<LocatedBlock> written = new ArrayList<>();
    for (int block = 0; block < blocks; block++) {
      DataNode first = node(random.nextInt(nodes), racks);
      DataNode second = node(random.nextInt(nodes), racks);
      DataNode third = node(random.nextInt(nodes), racks);
      written.add(
          new LocatedBlock(
              new Block(block, 1, 1),
              List.of(first, second, third).stream()
                  .distinct()
                  .map(node -> new Replica(node, "DISK", true))
                  .toList(),
              List.of()));
    }
    return written;
  }

  private static List<Map<DataNode, Double>> firstStays(List<LocatedBlock> blocks) {
    return blocks.stream().map(block -> Map.of(block.live().get(0).node(), 1.0)).toList();
  }

  /** Returns how many blocks have no replica in the rack with most blocks of their stripe. */
  private static long farReads(List<List<Integer>> stripes, List<LocatedBlock> blocks) {
    long far = 0;
    for (List<Integer> stripe : stripes) {
      Map<String, Integer> inRack = new HashMap<>();
      for (int block : stripe) {
        blocks.get(block).live().stream()
            .map(replica -> replica.node().rack())
            .distinct()
            .forEach(rack -> inRack.merge(rack, 1, Integer::sum));
      }
      far += stripe.size() - inRack.values().stream().mapToInt(count -> count).max().orElse(0);
    }
    return far;
  }

  @Test
  void stripesThatAreReadInOneRackNeedLittleFromOthersAndFewMoves() {
    for (int seed = 0; seed < 10; seed++) {
      List<LocatedBlock> blocks = written(200, 1000, 20, seed);
      var odds = firstStays(blocks);
      var composed = StripeComposition.compose(10, odds, 1);

      var near = StripeComposition.composeNear(10, blocks, odds, 1);

      assertThat(farReads(near, blocks))
          .as("seed %d", seed)
          .isLessThan(farReads(composed, blocks) / 3);
      assertThat(meetings(near, odds)).as("seed %d", seed).isZero();
      assertThat(crowding(near, odds, 1)).as("seed %d", seed).isLessThan(20);
      assertThat(StripeComposition.composeNear(10, blocks, odds, 1)).isEqualTo(near);
    }
  }

  @Test
  void everyBlockIsInOneStripeAlsoIfStripesAreReadInOneRack() {
    for (int count : new int[] {0, 1, 9, 10, 11, 57, 1_001, 2_345}) {
      List<LocatedBlock> blocks = written(count, 7, 3, count);

      var near = StripeComposition.composeNear(10, blocks, firstStays(blocks), 2);

      assertThat(near.stream().flatMap(List::stream))
          .as("%d blocks", count)
          .containsExactlyInAnyOrderElementsOf(IntStream.range(0, count).boxed().toList());
      assertThat(near)
          .extracting(List::size)
          .isEqualTo(StripeComposer.compose(count, 10).stream().map(List::size).toList());
    }
  }
}
