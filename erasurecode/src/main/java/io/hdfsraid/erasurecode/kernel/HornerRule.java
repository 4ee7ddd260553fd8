// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.erasurecode.kernel;

import io.hdfsraid.erasurecode.algebra.CodingMatrix;
import io.hdfsraid.erasurecode.kernel.LaneProgram.Block;
import io.hdfsraid.erasurecode.kernel.LaneProgram.Step;
import io.hdfsraid.erasurecode.kernel.LaneProgram.Strip;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Sums up the outputs of a matrix of any coefficients by Horner's rule over the bits of the
 * coefficients. From the highest bit down, double the sum and add (XOR) the inputs whose
 * coefficient has that bit; a row of ones is a plain XOR.
 *
 * <p>With several rows, the same inputs are added up again and again. So inputs are taken by
 * threes, and the sums of two or three of them computed once: the method of Arlazarov, Dinic,
 * Kronrod and Faradzhev, "On economical construction of the transitive closure of a directed
 * graph", 1970 ("of the four Russians"). Groups of three measured best.
 */
final class HornerRule {
  private static final int BITS = 8;
  private static final int GROUP = 3;

  /** Additions that a table of the four sums of a group must save to be worth its computation. */
  private static final int TABLE_COST = 12;

  private final CodingMatrix matrix;
  private final List<Step> steps = new ArrayList<>();

  /** By the first column of a group: the first of the four lanes with its sums. */
  private final int[] tables;

  private int lanes;

  private HornerRule(CodingMatrix matrix) {
    this.matrix = matrix;
    this.tables = new int[matrix.columns()];
    this.lanes = matrix.columns();
  }

  /**
   * @param matrix the elements of the block
   */
  static LaneProgram program(CodingMatrix matrix, Block block) {
    HornerRule rule = new HornerRule(matrix);
    rule.addTables();
    int sum = rule.lanes++;
    for (int row = 0; row < matrix.rows(); row++) {
      rule.steps.add(new WeightedSum(row, sum, rule.sourcesByBit(row)));
    }
    return new LaneProgram(block, rule.lanes, rule.steps);
  }

  private void addTables() {
    for (int first = 0; first + GROUP <= matrix.columns(); first += GROUP) {
      if (additionsSaved(first) > TABLE_COST) {
        tables[first] = lanes;
        steps.add(new SumsOfThree(first, lanes));
        lanes += 4;
      }
    }
  }

  private int additionsSaved(int first) {
    int saved = 0;
    for (int row = 0; row < matrix.rows(); row++) {
      for (int bit = 0; bit < BITS; bit++) {
        saved += Math.max(0, Integer.bitCount(members(row, first, bit)) - 1);
      }
    }
    return saved;
  }

  /** Which of the three columns have the bit in the row: bit i for column first + i. */
  private int members(int row, int first, int bit) {
    int members = 0;
    for (int i = 0; i < GROUP && first + i < matrix.columns(); i++) {
      members |= (matrix.get(row, first + i) >> bit & 1) << i;
    }
    return members;
  }

  /** The lanes to add for each bit, bit 7 first. */
  private int[][] sourcesByBit(int row) {
    int[][] sources = new int[BITS][];
    for (int bit = 0; bit < BITS; bit++) {
      IntStream.Builder lanesOfBit = IntStream.builder();
      for (int first = 0; first < matrix.columns(); first += GROUP) {
        addLanes(first, members(row, first, bit), lanesOfBit);
      }
      sources[BITS - 1 - bit] = lanesOfBit.build().toArray();
    }
    return sources;
  }

  private void addLanes(int first, int members, IntStream.Builder lanesOfBit) {
    if (tables[first] > 0 && Integer.bitCount(members) > 1) {
      lanesOfBit.add(tables[first] + SumsOfThree.OFFSETS[members]);
    } else {
      for (int i = 0; i < GROUP; i++) {
        if ((members >> i & 1) != 0) {
          lanesOfBit.add(first + i);
        }
      }
    }
  }

  /** The sums of lanes a, a + 1 and a + 2, into four lanes from {@code table} on. */
  private record SumsOfThree(int a, int table) implements Step {
    /** By members, as bits: which lane of the table holds their sum; there are none of one. */
    static final int[] OFFSETS = {-1, -1, -1, 0, -1, 1, 2, 3};

    @Override
    public void run(Strip strip) {
      long[][] lanes = strip.lanes();
      Loops.sumsOfThree(
          lanes[a],
          lanes[a + 1],
          lanes[a + 2],
          lanes[table],
          lanes[table + 1],
          lanes[table + 2],
          lanes[table + 3],
          strip.count());
    }
  }

  /** One output, in a lane that is used for each of them in turn. */
  private static final class WeightedSum implements Step {
    private static final int[] NONE = {};

    private final int row;
    private final int lane;
    private final int[] highest;
    private final int[][] lower;

    /**
     * @param sourcesByBit the lanes to add for each bit, bit 7 first
     */
    WeightedSum(int row, int lane, int[][] sourcesByBit) {
      int first = 0;
      while (first < sourcesByBit.length && sourcesByBit[first].length == 0) {
        first++;
      }
      this.row = row;
      this.lane = lane;
      this.highest = first < sourcesByBit.length ? sourcesByBit[first] : NONE;
      this.lower =
          Arrays.copyOfRange(
              sourcesByBit, Math.min(first + 1, sourcesByBit.length), sourcesByBit.length);
    }

    @Override
    public void run(Strip strip) {
      long[] sum = strip.lanes()[lane];
      Loops.sum(sum, highest, strip.lanes(), strip.count());
      for (int[] sources : lower) {
        Loops.twicePlus(sum, sources, strip.lanes(), strip.count());
      }
      strip.put(row, sum);
    }
  }
}
