// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.erasurecode.kernel;

import io.hdfsraid.erasurecode.algebra.CodingMatrix;
import java.nio.ByteBuffer;

/**
 * The inner loop of every codec. Kernels differ in speed only; all return the same bytes. Safe for
 * concurrent use.
 */
sealed interface Kernel permits ScalarKernel, PortableKernel, VectorKernel, NativeKernel {
  /** What a setting, a table and a log call it. */
  String name();

  /**
   * Returns details of the kernel, such as the version of a library and the instruction set it
   * uses.
   */
  String detail();

  /** Works out once what every use of the matrix needs: tables, orders of sums. */
  Multiplication prepare(CodingMatrix matrix);

  /** A matrix made ready for a kernel. Immutable and safe for concurrent use. */
  interface Multiplication {
    /**
     * outputs[r] = sum over c of matrix[r][c] * inputs[c] over GF(2^8), byte by byte.
     *
     * @param inputs one buffer for each column, heap or direct, of any byte order, all with the
     *     same number of bytes remaining
     * @param outputs one buffer for each row with as many bytes remaining, none sharing memory with
     *     an input or another output; overwritten from position to limit. Positions are left as
     *     they were.
     */
    void multiply(ByteBuffer[] inputs, ByteBuffer[] outputs);
  }
}
