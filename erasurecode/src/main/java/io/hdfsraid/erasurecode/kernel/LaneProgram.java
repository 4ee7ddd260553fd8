// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.erasurecode.kernel;

import java.nio.LongBuffer;
import java.util.List;

/**
 * A list of sums of lanes that computes a part of a multiplication. Buffers are worked on strip by
 * strip; a lane holds the current strip of one input, or a sum. Immutable and safe for concurrent
 * use: each thread has lanes of its own.
 */
final class LaneProgram {
  /**
   * Longs of a lane: 3 KiB. Long enough for vector loops to be worth their entry and exit, and
   * short enough for all lanes of a usual code to stay in an L2 cache. No power of two: processors
   * take a load for one of what has just been stored a multiple of 4 KiB away.
   */
  private static final int LANE = 384;

  private static final ThreadLocal<long[][]> LANES = ThreadLocal.withInitial(() -> new long[0][]);

  private final Block block;
  private final int lanes;
  // No list: its iterator would be the only thing that is allocated for each strip.
  private final Step[] steps;

  /**
   * @param block which part of the matrix
   * @param lanes how many the steps use; the first are the block's inputs
   * @param steps in the order in which they are carried out
   */
  LaneProgram(Block block, int lanes, List<? extends Step> steps) {
    this.block = block;
    this.lanes = lanes;
    this.steps = steps.toArray(Step[]::new);
  }

  /**
   * Some rows and columns of a matrix.
   *
   * @param row the first
   * @param column the first; those before it have been added up in the outputs already
   */
  record Block(int row, int rows, int column, int columns) {}

  /** Computes lanes from other lanes. */
  @FunctionalInterface
  interface Step {
    void run(Strip strip);
  }

  /**
   * @param longs how many to handle, counted from the start of each buffer
   * @param inputs for all columns of the matrix, of native byte order
   * @param outputs for all rows
   */
  void run(int longs, LongBuffer[] inputs, LongBuffer[] outputs) {
    long[][] scratch = LANES.get();
    if (scratch.length <= lanes) {
      scratch = new long[lanes + 1][LANE];
      LANES.set(scratch);
    }
    Strip strip = new Strip(block, scratch, outputs);
    for (int from = 0; from < longs; from += LANE) {
      strip.moveTo(from, Math.min(LANE, longs - from));
      for (int column = 0; column < block.columns(); column++) {
        inputs[block.column() + column].get(from, scratch[column], 0, strip.count());
      }
      for (Step step : steps) {
        step.run(strip);
      }
    }
  }

  /** What the steps work on. */
  static final class Strip {
    private final Block block;
    private final long[][] lanes;
    private final LongBuffer[] outputs;
    private int from;
    private int count;

    Strip(Block block, long[][] lanes, LongBuffer[] outputs) {
      this.block = block;
      this.lanes = lanes;
      this.outputs = outputs;
    }

    private void moveTo(int newFrom, int newCount) {
      from = newFrom;
      count = newCount;
    }

    /** Only the first {@link #count} longs of each count. */
    long[][] lanes() {
      return lanes;
    }

    int count() {
      return count;
    }

    /**
     * A lane is complete.
     *
     * @param row which output it is, counted from the first of the block
     */
    void put(int row, long[] lane) {
      LongBuffer output = outputs[block.row() + row];
      if (block.column() > 0) {
        // One more than any step uses.
        long[] earlier = lanes[lanes.length - 1];
        output.get(from, earlier, 0, count);
        Loops.add(earlier, lane, count);
        output.put(from, earlier, 0, count);
      } else {
        output.put(from, lane, 0, count);
      }
    }
  }
}
