// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.blockfixer.placement;

import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.stripe.StripeComposer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Forms stripes whose blocks all have a replica in one rack, where they can be encoded without
 * reading across racks (the core rack of Li, Hu, Lee, "Enabling Efficient and Reliable Transition
 * from Replication to Erasure Coding", 2015, formed afterwards from replicas that are there). Among
 * the blocks of a rack it takes those whose kept replicas share no node and crowd no rack.
 *
 * <p>Greedy, within windows of {@link #WINDOW_STRIPES} stripes in file order, which bounds the time
 * and keeps the differences of block ids small. The same input gives the same stripes.
 */
final class NearStripes {
  private static final int WINDOW_STRIPES = 100;

  /** Blocks of a rack that are looked at for a place in a stripe, in file order. */
  private static final int CANDIDATES = 100;

  /** Racks that are tried for a stripe: those in which most blocks can be read. */
  private static final int RACKS_TRIED = 4;

  private final List<Map<DataNode, Double>> odds;
  private final List<Set<String>> readRacks;
  private final int rackLimit;

  /** Blocks of the window that are in no stripe yet, in file order. */
  private final TreeSet<Integer> left = new TreeSet<>();

  private NearStripes(
      List<Map<DataNode, Double>> odds, List<Set<String>> readRacks, int rackLimit) {
    this.odds = odds;
    this.readRacks = readRacks;
    this.rackLimit = rackLimit;
  }

  /**
   * Returns the indexes of the blocks of each stripe, in file order within each stripe.
   *
   * @param readRacks for each block, the racks in which it has a replica
   */
  static List<List<Integer>> of(
      int dataUnits, List<Map<DataNode, Double>> odds, List<Set<String>> readRacks, int rackLimit) {
    List<List<Integer>> inOrder = StripeComposer.compose(odds.size(), dataUnits);
    List<List<Integer>> formed = new ArrayList<>();
    NearStripes near = new NearStripes(odds, readRacks, rackLimit);
    for (int from = 0; from < inOrder.size(); from += WINDOW_STRIPES) {
      List<List<Integer>> window =
          inOrder.subList(from, Math.min(inOrder.size(), from + WINDOW_STRIPES));
      window.forEach(near.left::addAll);
      for (List<Integer> stripe : window) {
        formed.add(near.next(stripe.size()));
      }
    }
    return formed;
  }

  private List<Integer> next(int size) {
    Draft best = null;
    for (String rack : mostReadable()) {
      Draft draft = new Draft(rack, size);
      if (best == null || draft.cost < best.cost) {
        best = draft;
      }
    }
    left.removeAll(best.blocks);
    return best.blocks.stream().sorted().toList();
  }

  private List<String> mostReadable() {
    Map<String, Integer> readable = new HashMap<>();
    for (int block : left) {
      for (String rack : readRacks.get(block)) {
        readable.merge(rack, 1, Integer::sum);
      }
    }
    if (readable.isEmpty()) {
      return List.of("");
    }
    return readable.entrySet().stream()
        .sorted(
            Map.Entry.<String, Integer>comparingByValue(Comparator.reverseOrder())
                .thenComparing(Map.Entry.comparingByKey()))
        .limit(RACKS_TRIED)
        .map(Map.Entry::getKey)
        .toList();
  }

  /** A stripe that is read in one rack. The cost is blocks read across racks and moves. */
  private final class Draft {
    private final String rack;
    private final Set<Integer> blocks = new TreeSet<>();
    private final Map<DataNode, Double> onNode = new HashMap<>();
    private final Map<String, Double> inRack = new HashMap<>();
    private double cost;

    Draft(String rack, int size) {
      this.rack = rack;
      while (blocks.size() < size) {
        add(cheapest());
      }
    }

    private int cheapest() {
      int best = -1;
      double least = Double.MAX_VALUE;
      int looked = 0;
      for (int block : left) {
        if (blocks.contains(block)) {
          continue;
        }
        boolean near = readRacks.get(block).contains(rack);
        if (best >= 0 && !near && least <= 1) {
          continue; // it would cost as much for its read alone
        }
        double added = added(block);
        if (added < least) {
          best = block;
          least = added;
        }
        if (least == 0 || ++looked == CANDIDATES) {
          break;
        }
      }
      return best;
    }

    private double added(int block) {
      double sum = readRacks.get(block).contains(rack) ? 0 : 1;
      for (Map.Entry<DataNode, Double> kept : odds.get(block).entrySet()) {
        double there = inRack.getOrDefault(kept.getKey().rack(), 0.0);
        sum += kept.getValue() * onNode.getOrDefault(kept.getKey(), 0.0);
        sum += Math.max(0, there + kept.getValue() - rackLimit) - Math.max(0, there - rackLimit);
      }
      return sum;
    }

    private void add(int block) {
      cost += added(block);
      blocks.add(block);
      odds.get(block)
          .forEach(
              (node, likely) -> {
                onNode.merge(node, likely, Double::sum);
                inRack.merge(node.rack(), likely, Double::sum);
              });
    }
  }
}
