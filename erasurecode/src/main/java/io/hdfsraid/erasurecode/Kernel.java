package io.hdfsraid.erasurecode;

import java.nio.ByteBuffer;

/**
 * The inner loop of every codec. Kernels differ in speed only; all return the same bytes. Safe for
 * concurrent use.
 */
sealed interface Kernel permits ScalarKernel, HornerKernel {
  /**
   * outputs[r] = sum over c of matrix[r][c] * inputs[c] over GF(2^8), byte by byte.
   *
   * @param inputs one buffer for each column, heap or direct, of any byte order, all with the same
   *     number of bytes remaining
   * @param outputs one buffer for each row with as many bytes remaining, none sharing memory with
   *     an input; overwritten from position to limit. Positions are left as they were.
   */
  void multiply(CodingMatrix matrix, ByteBuffer[] inputs, ByteBuffer[] outputs);
}
