package io.hdfsraid.erasurecode;

import io.hdfsraid.erasurecode.Kernel.Multiplication;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A matrix with what the kernels that were used with it so far need of it. */
final class PreparedMatrix {
  private final CodingMatrix matrix;
  private final MatrixKind kind;
  private final Map<Kernel, Multiplication> prepared = new ConcurrentHashMap<>(2);

  PreparedMatrix(CodingMatrix matrix) {
    this.matrix = matrix;
    this.kind = MatrixKind.of(matrix);
  }

  CodingMatrix matrix() {
    return matrix;
  }

  /** With the kernel in use; see {@link Multiplication#multiply}. */
  void multiply(ByteBuffer[] inputs, ByteBuffer[] outputs) {
    Kernel kernel = Kernels.ofThisProcess().chosenFor(kind);
    Multiplication multiplication = prepared.get(kernel);
    if (multiplication == null) {
      multiplication = prepared.computeIfAbsent(kernel, chosen -> chosen.prepare(matrix));
    }
    multiplication.multiply(inputs, outputs);
  }
}
