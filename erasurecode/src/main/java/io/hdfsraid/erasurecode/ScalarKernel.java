package io.hdfsraid.erasurecode;

import java.nio.ByteBuffer;

/** One table look-up for each byte and coefficient: the reference for every other kernel. */
final class ScalarKernel implements Kernel {
  @Override
  public void multiply(CodingMatrix matrix, ByteBuffer[] inputs, ByteBuffer[] outputs) {
    for (int row = 0; row < outputs.length; row++) {
      multiplyRow(matrix, row, inputs, outputs[row], 0);
    }
  }

  /** Computes one output from the given byte (counted from the buffers' positions) to its end. */
  static void multiplyRow(
      CodingMatrix matrix, int row, ByteBuffer[] inputs, ByteBuffer output, int from) {
    int length = output.remaining();
    for (int i = from; i < length; i++) {
      int sum = 0;
      for (int column = 0; column < inputs.length; column++) {
        ByteBuffer input = inputs[column];
        sum ^= Gf256.products(matrix.get(row, column))[input.get(input.position() + i) & 0xFF];
      }
      output.put(output.position() + i, (byte) sum);
    }
  }
}
