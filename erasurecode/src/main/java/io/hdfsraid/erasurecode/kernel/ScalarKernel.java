// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.erasurecode.kernel;

import io.hdfsraid.erasurecode.algebra.CodingMatrix;
import io.hdfsraid.erasurecode.algebra.Gf256;
import java.nio.ByteBuffer;

/** One table look-up for each byte and coefficient: the reference for every other kernel. */
final class ScalarKernel implements Kernel {
  @Override
  public String name() {
    return "scalar";
  }

  @Override
  public String detail() {
    return "plain Java, byte by byte";
  }

  @Override
  public Multiplication prepare(CodingMatrix matrix) {
    return (inputs, outputs) -> multiplyFrom(matrix, 0, inputs, outputs);
  }

  /**
   * Computes the outputs from the given byte (counted from the buffers' positions) to their end.
   */
  static void multiplyFrom(
      CodingMatrix matrix, int from, ByteBuffer[] inputs, ByteBuffer[] outputs) {
    for (int row = 0; row < outputs.length; row++) {
      ByteBuffer output = outputs[row];
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
}
