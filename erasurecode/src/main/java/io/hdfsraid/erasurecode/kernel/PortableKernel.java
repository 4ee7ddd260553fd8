// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.erasurecode.kernel;

import io.hdfsraid.erasurecode.algebra.CodingMatrix;
import io.hdfsraid.erasurecode.kernel.LaneProgram.Block;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * A kernel in plain Java, which the JIT compiler turns into vector instructions: bytes are handled
 * eight to a long. Which byte of a long is which does not matter, as every byte is treated alike.
 * Binary matrices are carried out by an {@link XorSchedule}, all others by {@link HornerRule}.
 */
final class PortableKernel implements Kernel {
  // A part of a larger matrix must not need more lanes than an L2 cache holds.
  private static final int MAX_COLUMNS = 48;
  private static final int MAX_BINARY_COLUMNS = 128;
  private static final int MAX_ROWS = 64;

  @Override
  public String name() {
    return "portable";
  }

  @Override
  public String detail() {
    return "plain Java, vectorised by the JIT compiler";
  }

  @Override
  public Multiplication prepare(CodingMatrix matrix) {
    List<LaneProgram> programs = programs(matrix);
    return (inputs, outputs) -> multiply(matrix, programs, inputs, outputs);
  }

  private static void multiply(
      CodingMatrix matrix, List<LaneProgram> programs, ByteBuffer[] inputs, ByteBuffer[] outputs) {
    if (outputs.length == 0) {
      return;
    }
    int longs = outputs[0].remaining() / Long.BYTES;
    if (longs > 0) {
      LongBuffer[] from = views(inputs);
      LongBuffer[] to = views(outputs);
      for (LaneProgram program : programs) {
        program.run(longs, from, to);
      }
    }
    ScalarKernel.multiplyFrom(matrix, longs * Long.BYTES, inputs, outputs);
  }

  private static LongBuffer[] views(ByteBuffer[] buffers) {
    LongBuffer[] views = new LongBuffer[buffers.length];
    for (int i = 0; i < buffers.length; i++) {
      views[i] = buffers[i].slice().order(ByteOrder.nativeOrder()).asLongBuffer();
    }
    return views;
  }

  private static List<LaneProgram> programs(CodingMatrix matrix) {
    boolean binary = matrix.isBinary();
    int mostColumns = binary ? MAX_BINARY_COLUMNS : MAX_COLUMNS;
    List<LaneProgram> programs = new ArrayList<>();
    for (int row = 0; row < matrix.rows(); row += MAX_ROWS) {
      int rows = Math.min(MAX_ROWS, matrix.rows() - row);
      int column = 0;
      // At least once, so that no inputs at all give zeros.
      do {
        int columns = Math.min(mostColumns, matrix.columns() - column);
        Block block = new Block(row, rows, column, columns);
        CodingMatrix part = part(matrix, block);
        programs.add(
            binary ? XorSchedule.of(part).program(block) : HornerRule.program(part, block));
        column += columns;
      } while (column < matrix.columns());
    }
    return List.copyOf(programs);
  }

  private static CodingMatrix part(CodingMatrix matrix, Block block) {
    int[][] rows = new int[block.rows()][block.columns()];
    for (int r = 0; r < rows.length; r++) {
      for (int c = 0; c < block.columns(); c++) {
        rows[r][c] = matrix.get(block.row() + r, block.column() + c);
      }
    }
    return CodingMatrix.of(block.columns(), rows);
  }
}
