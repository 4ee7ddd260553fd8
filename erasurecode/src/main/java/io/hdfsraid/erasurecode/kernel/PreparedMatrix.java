// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.erasurecode.kernel;

import io.hdfsraid.erasurecode.algebra.CodingMatrix;
import io.hdfsraid.erasurecode.kernel.Kernel.Multiplication;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A matrix, with the prepared form of each kernel that has multiplied with it. */
public final class PreparedMatrix {
  private final CodingMatrix matrix;
  private final MatrixKind kind;
  private final Map<Kernel, Multiplication> prepared = new ConcurrentHashMap<>(2);

  public PreparedMatrix(CodingMatrix matrix) {
    this.matrix = matrix;
    this.kind = MatrixKind.of(matrix);
  }

  public CodingMatrix matrix() {
    return matrix;
  }

  /**
   * With the reference kernel, whichever is in use: slow, and other code than that which encodes;
   * see {@link Multiplication#multiply}.
   */
  public void multiplyByReference(ByteBuffer[] inputs, ByteBuffer[] outputs) {
    ScalarKernel.multiplyFrom(matrix, 0, inputs, outputs);
  }

  /** With the kernel in use; see {@link Multiplication#multiply}. */
  public void multiply(ByteBuffer[] inputs, ByteBuffer[] outputs) {
    Kernel kernel = CodingKernels.ofThisProcess().chosenFor(kind);
    Multiplication multiplication = prepared.get(kernel);
    if (multiplication == null) {
      multiplication = prepared.computeIfAbsent(kernel, chosen -> chosen.prepare(matrix));
    }
    multiplication.multiply(inputs, outputs);
  }
}
