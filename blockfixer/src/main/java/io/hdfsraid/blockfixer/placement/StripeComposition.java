// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.blockfixer.placement;

import io.hdfsraid.blockfixer.plan.RackLimit;
import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.drfs.stripe.StripeComposer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Assigns the blocks of a file to stripes so that few data units will share a node or crowd a rack
 * after the replication is lowered. Starts with the stripes in file order and exchanges blocks
 * between nearby stripes, one pair at a time, as long as that saves moves.
 *
 * <p>An exchange must save at least a quarter of a move. It costs about sixteen bytes in the
 * manifest, which is in the memory of the NameNode, whereas a move costs the traffic of one block,
 * once. A block takes exactly the position of the block for which it is exchanged, which is
 * cheapest. Only stripes within {@link #REACH} blocks are tried. This limits the time (10,000
 * blocks: well below a second) and keeps the differences of block ids small. The same input gives
 * the same stripes.
 *
 * <p>Regrouping existing replicas so that a valid choice of one replica for each unit exists is
 * known from EAR (Li, Hu, Lee, "Enabling Efficient and Reliable Transition from Replication to
 * Erasure Coding", 2015). There the encoder chooses the replicas to keep, and a maximum flow finds
 * the choice. Here the NameNode chooses, so its forecast choice counts ({@link
 * KeptReplicaForecast}), not the existence of a good choice.
 */
public final class StripeComposition {
  /** The maximum distance, in blocks of the file, of two blocks that are exchanged. */
  static final int REACH = 60;

  /** The same if stripes are made to be read in one rack, which takes a wider choice. */
  private static final int NEAR_REACH = 150;

  private static final double LEAST_GAIN = 0.25;
  private static final int PASSES = 3;

  private final int[][] nodes;
  private final int[][] racks;
  private final double[][] odds;
  private final int[][] stripes;
  private final double[][] inRack;
  private final int rackLimit;
  private final int reach;

  /** For each block, the racks from which it can be read without crossing racks. */
  private final int[][] readRacks;

  /** For each stripe and rack, how many blocks can be read in the rack. */
  private final int[][] readable;

  private StripeComposition(
      List<List<Integer>> initial,
      List<Map<DataNode, Double>> odds,
      List<Set<String>> readRacks,
      int rackLimit,
      int reach) {
    this.nodes = new int[odds.size()][];
    this.racks = new int[odds.size()][];
    this.odds = new double[odds.size()][];
    this.rackLimit = rackLimit;
    Map<DataNode, Integer> nodeNumbers = new HashMap<>();
    Map<String, Integer> rackNumbers = new HashMap<>();
    for (int block = 0; block < odds.size(); block++) {
      List<Map.Entry<DataNode, Double>> places =
          odds.get(block).entrySet().stream()
              .sorted(Comparator.comparing(entry -> entry.getKey().uuid()))
              .toList();
      this.nodes[block] = new int[places.size()];
      this.racks[block] = new int[places.size()];
      this.odds[block] = new double[places.size()];
      for (int i = 0; i < places.size(); i++) {
        DataNode node = places.get(i).getKey();
        this.nodes[block][i] = number(nodeNumbers, node);
        this.racks[block][i] = number(rackNumbers, node.rack());
        this.odds[block][i] = places.get(i).getValue();
      }
    }
    this.readRacks = new int[odds.size()][];
    for (int block = 0; block < odds.size(); block++) {
      this.readRacks[block] =
          readRacks.get(block).stream()
              .sorted()
              .mapToInt(rack -> number(rackNumbers, rack))
              .toArray();
    }
    this.reach = reach;
    this.stripes =
        initial.stream()
            .map(stripe -> stripe.stream().mapToInt(Integer::intValue).toArray())
            .toArray(int[][]::new);
    this.inRack = new double[stripes.length][rackNumbers.size()];
    this.readable = new int[stripes.length][rackNumbers.size()];
    for (int stripe = 0; stripe < stripes.length; stripe++) {
      for (int block : stripes[stripe]) {
        put(stripe, block, 1);
      }
    }
  }

  private static <T> int number(Map<T, Integer> numbers, T thing) {
    return numbers.computeIfAbsent(thing, unknown -> numbers.size());
  }

  /**
   * Assigns blocks 0 to n-1 to ⌈n/k⌉ stripes whose sizes differ by at most one.
   *
   * @param dataUnits k
   * @param odds for each block, the probability that a node keeps it ({@link
   *     KeptReplicaForecast#odds})
   * @param rackLimit units of a stripe that a rack may hold ({@link RackLimit})
   * @return for each stripe the indexes of its blocks, in file order except for exchanged blocks
   */
  public static List<List<Integer>> compose(
      int dataUnits, List<Map<DataNode, Double>> odds, int rackLimit) {
    List<List<Integer>> inOrder = StripeComposer.compose(odds.size(), dataUnits);
    if (inOrder.size() < 2) {
      return inOrder;
    }
    List<Set<String>> anywhere = Collections.nCopies(odds.size(), Set.of());
    return new StripeComposition(inOrder, odds, anywhere, rackLimit, REACH).improved();
  }

  /**
   * Assigns blocks to stripes as {@link #compose(int, List, int)} does, so that each stripe can
   * also be read with few blocks across racks by a reader in its best rack. A block that is read
   * across racks costs as much as a move.
   *
   * @param blocks with their replicas
   */
  public static List<List<Integer>> composeNear(
      int dataUnits, List<LocatedBlock> blocks, List<Map<DataNode, Double>> odds, int rackLimit) {
    if (blocks.size() <= dataUnits) {
      return StripeComposer.compose(blocks.size(), dataUnits);
    }
    List<Set<String>> readRacks =
        blocks.stream()
            .map(
                block ->
                    block.live().stream()
                        .filter(Replica::inService)
                        .map(replica -> replica.node().rack())
                        .collect(Collectors.toUnmodifiableSet()))
            .toList();
    List<List<Integer>> initial = NearStripes.of(dataUnits, odds, readRacks, rackLimit);
    return new StripeComposition(initial, odds, readRacks, rackLimit, NEAR_REACH).improved();
  }

  private List<List<Integer>> improved() {
    for (int pass = 0; pass < PASSES && improve(); pass++) {}
    return result();
  }

  private List<List<Integer>> result() {
    List<List<Integer>> composed = new ArrayList<>();
    for (int[] stripe : stripes) {
      composed.add(Arrays.stream(stripe).boxed().toList());
    }
    return composed;
  }

  private boolean improve() {
    boolean improved = false;
    for (int stripe = 0; stripe < stripes.length; stripe++) {
      for (int place = 0; place < stripes[stripe].length; place++) {
        if (burden(stripe, place) >= LEAST_GAIN) {
          improved |= exchange(stripe, place);
        }
      }
    }
    return improved;
  }

  /** Returns how many expected moves a block adds to its stripe. */
  private double burden(int stripe, int place) {
    int block = stripes[stripe][place];
    double crowding = rackCost(stripe, block);
    put(stripe, block, -1);
    crowding -= rackCost(stripe, block);
    put(stripe, block, 1);
    return meetings(block, stripe, place) + crowding + (isReadInBestRack(stripe, block) ? 0 : 1);
  }

  private boolean isReadInBestRack(int stripe, int block) {
    int best = Arrays.stream(readable[stripe]).max().orElse(0);
    return readRacks[block].length == 0
        || Arrays.stream(readRacks[block]).anyMatch(rack -> readable[stripe][rack] == best);
  }

  /** Returns how many blocks of a stripe are read across racks. */
  private int farReads(int stripe) {
    int best = 0;
    for (int count : readable[stripe]) {
      best = Math.max(best, count);
    }
    return stripes[stripe].length - best;
  }

  /** Makes the exchange of this block that saves most. Returns false if none saves enough. */
  private boolean exchange(int stripe, int place) {
    int apart = Math.max(1, reach / Math.max(1, stripes[stripe].length));
    int last = Math.min(stripes.length - 1, stripe + apart);
    double best = LEAST_GAIN;
    int withStripe = -1;
    int withPlace = -1;
    for (int other = Math.max(0, stripe - apart); other <= last; other++) {
      for (int at = 0; other != stripe && at < stripes[other].length; at++) {
        double gain = gain(stripe, place, other, at);
        if (gain > best) {
          best = gain;
          withStripe = other;
          withPlace = at;
        }
      }
    }
    if (withStripe < 0) {
      return false;
    }
    int block = stripes[stripe][place];
    int other = stripes[withStripe][withPlace];
    replace(stripe, block, other);
    replace(withStripe, other, block);
    stripes[stripe][place] = other;
    stripes[withStripe][withPlace] = block;
    return true;
  }

  private double gain(int stripe, int place, int otherStripe, int otherPlace) {
    int block = stripes[stripe][place];
    int other = stripes[otherStripe][otherPlace];
    double meetings =
        meetings(block, stripe, place)
            + meetings(other, otherStripe, otherPlace)
            - meetings(other, stripe, place)
            - meetings(block, otherStripe, otherPlace);
    return meetings
        + crowdingSaved(stripe, block, other)
        + crowdingSaved(otherStripe, other, block)
        + farReadsSaved(stripe, block, otherStripe, other);
  }

  private int farReadsSaved(int stripe, int block, int otherStripe, int other) {
    if (readRacks[block].length == 0) {
      return 0;
    }
    int before = farReads(stripe) + farReads(otherStripe);
    replace(stripe, block, other);
    replace(otherStripe, other, block);
    int after = farReads(stripe) + farReads(otherStripe);
    replace(stripe, other, block);
    replace(otherStripe, block, other);
    return before - after;
  }

  /**
   * Returns the expected number of units of the stripe that share a node with the block. The unit
   * in the given place does not count.
   */
  private double meetings(int block, int stripe, int exceptPlace) {
    double sum = 0;
    int[] units = stripes[stripe];
    for (int place = 0; place < units.length; place++) {
      if (place != exceptPlace) {
        sum += meeting(block, units[place]);
      }
    }
    return sum;
  }

  private double meeting(int one, int other) {
    double sum = 0;
    for (int i = 0; i < nodes[one].length; i++) {
      for (int j = 0; j < nodes[other].length; j++) {
        if (nodes[one][i] == nodes[other][j]) {
          sum += odds[one][i] * odds[other][j];
        }
      }
    }
    return sum;
  }

  private double crowdingSaved(int stripe, int out, int in) {
    double before = rackCost(stripe, out) + rackCostBeside(stripe, in, out);
    replace(stripe, out, in);
    double after = rackCost(stripe, out) + rackCostBeside(stripe, in, out);
    replace(stripe, in, out);
    return before - after;
  }

  private void replace(int stripe, int out, int in) {
    put(stripe, out, -1);
    put(stripe, in, 1);
  }

  private void put(int stripe, int block, int sign) {
    for (int i = 0; i < racks[block].length; i++) {
      inRack[stripe][racks[block][i]] += sign * odds[block][i];
    }
    for (int rack : readRacks[block]) {
      readable[stripe][rack] += sign;
    }
  }

  /** Returns the number of units above the limit in the racks of a block. */
  private double rackCost(int stripe, int block) {
    double cost = 0;
    for (int i = 0; i < racks[block].length; i++) {
      if (firstOf(racks[block], i)) {
        cost += Math.max(0, inRack[stripe][racks[block][i]] - rackLimit);
      }
    }
    return cost;
  }

  /**
   * Returns the number of units above the limit in those racks of a block that are not racks of the
   * other block.
   */
  private double rackCostBeside(int stripe, int block, int other) {
    double cost = 0;
    for (int i = 0; i < racks[block].length; i++) {
      if (firstOf(racks[block], i) && !contains(racks[other], racks[block][i])) {
        cost += Math.max(0, inRack[stripe][racks[block][i]] - rackLimit);
      }
    }
    return cost;
  }

  private static boolean firstOf(int[] racks, int at) {
    for (int i = 0; i < at; i++) {
      if (racks[i] == racks[at]) {
        return false;
      }
    }
    return true;
  }

  private static boolean contains(int[] racks, int rack) {
    for (int each : racks) {
      if (each == rack) {
        return true;
      }
    }
    return false;
  }
}
