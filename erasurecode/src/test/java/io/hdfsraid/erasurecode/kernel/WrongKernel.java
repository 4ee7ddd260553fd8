// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.erasurecode.kernel;

import io.hdfsraid.erasurecode.algebra.CodingMatrix;
import io.hdfsraid.erasurecode.kernel.Kernel.Multiplication;
import java.nio.ByteBuffer;

/** Kernels with one wrong bit, as a fault of a compiler, a library or a programmer may cause. */
enum WrongKernel {
  IN_THE_TAIL {
    @Override
    boolean isWrong(CodingMatrix matrix, ByteBuffer output) {
      return output.remaining() % 8 != 0;
    }

    @Override
    int wrongByte(int length) {
      return length - 1;
    }
  },
  IN_THE_MIDDLE_OF_LONG_CELLS {
    @Override
    boolean isWrong(CodingMatrix matrix, ByteBuffer output) {
      return output.remaining() >= 2048;
    }
  },
  ONLY_FOR_BINARY_MATRICES {
    @Override
    boolean isWrong(CodingMatrix matrix, ByteBuffer output) {
      return matrix.isBinary() && output.remaining() >= 64;
    }
  },
  ONLY_FOR_GENERAL_MATRICES {
    @Override
    boolean isWrong(CodingMatrix matrix, ByteBuffer output) {
      return !matrix.isBinary() && output.remaining() >= 64;
    }
  },
  ONLY_IN_DIRECT_BUFFERS {
    @Override
    boolean isWrong(CodingMatrix matrix, ByteBuffer output) {
      return output.isDirect();
    }
  },
  ONLY_WITHIN_AN_ARRAY {
    @Override
    boolean isWrong(CodingMatrix matrix, ByteBuffer output) {
      return output.hasArray() && output.arrayOffset() > 0;
    }
  };

  abstract boolean isWrong(CodingMatrix matrix, ByteBuffer output);

  int wrongByte(int length) {
    return length / 2;
  }

  Multiplication prepare(CodingMatrix matrix) {
    Multiplication multiplication = new ScalarKernel().prepare(matrix);
    return (inputs, outputs) -> {
      multiplication.multiply(inputs, outputs);
      for (ByteBuffer output : outputs) {
        if (output.hasRemaining() && isWrong(matrix, output)) {
          int at = output.position() + wrongByte(output.remaining());
          output.put(at, (byte) (output.get(at) ^ 0x10));
        }
      }
    };
  }
}
