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
 * Sums up the outputs of a binary matrix with few XORs: an output that differs little from one that
 * is known already is computed from that one. Always the cheapest output is next, so that the known
 * ones grow like the tree of Prim's algorithm. These are the "smart" schedules of Plank, Simmerman
 * and Schuman, "Jerasure: A Library in C/C++ Facilitating Erasure Coding for Storage Applications,
 * Version 1.2", 2008, after Hafner, Deenadhayalan, Rao and Tomlin, "Matrix Methods for Lost Data
 * Reconstruction in Erasure Codes", FAST 2005. Where Jerasure copies a packet and adds others to it
 * one by one, several are added in one pass here.
 */
final class XorSchedule {
  private final int columns;
  private final List<Sum> sums;

  private XorSchedule(int columns, List<Sum> sums) {
    this.columns = columns;
    this.sums = sums;
  }

  /**
   * @param matrix of zeros and ones
   */
  static XorSchedule of(CodingMatrix matrix) {
    int[][] cheapest = new int[matrix.rows()][];
    Arrays.setAll(cheapest, row -> fromInputs(matrix, row));
    List<Sum> sums = new ArrayList<>();
    List<Integer> unknown = new ArrayList<>(IntStream.range(0, matrix.rows()).boxed().toList());
    while (!unknown.isEmpty()) {
      int next = unknown.get(0);
      for (int row : unknown) {
        next = cheapest[row].length < cheapest[next].length ? row : next;
      }
      sums.add(new Sum(matrix.columns(), next, cheapest[next]));
      unknown.remove((Integer) next);
      for (int row : unknown) {
        int[] derived = fromOutput(matrix, next, row);
        cheapest[row] = derived.length < cheapest[row].length ? derived : cheapest[row];
      }
    }
    return new XorSchedule(matrix.columns(), List.copyOf(sums));
  }

  private static int[] fromInputs(CodingMatrix matrix, int row) {
    return IntStream.range(0, matrix.columns())
        .filter(column -> matrix.get(row, column) != 0)
        .toArray();
  }

  private static int[] fromOutput(CodingMatrix matrix, int known, int row) {
    return IntStream.concat(
            IntStream.of(matrix.columns() + known),
            IntStream.range(0, matrix.columns())
                .filter(column -> matrix.get(known, column) != matrix.get(row, column)))
        .toArray();
  }

  /** XORs of one lane with another, as published tables count them: copies are not counted. */
  int xors() {
    return sums.stream().mapToInt(sum -> Math.max(0, sum.sources.length - 1)).sum();
  }

  LaneProgram program(Block block) {
    return new LaneProgram(block, columns + sums.size(), sums);
  }

  /** One output as the XOR of lanes; lane {@code columns + r} holds output r. */
  private static final class Sum implements Step {
    private final int row;
    private final int lane;
    private final int[] sources;

    /**
     * @param sources inputs and at most one output of an earlier sum
     */
    Sum(int columns, int row, int[] sources) {
      this.row = row;
      this.lane = columns + row;
      this.sources = sources;
    }

    @Override
    public void run(Strip strip) {
      long[] sum = strip.lanes()[lane];
      Loops.sum(sum, sources, strip.lanes(), strip.count());
      strip.put(row, sum);
    }
  }
}
