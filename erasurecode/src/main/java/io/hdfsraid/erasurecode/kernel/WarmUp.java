// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.erasurecode.kernel;

import io.hdfsraid.erasurecode.algebra.CodingMatrix;
import io.hdfsraid.erasurecode.kernel.Kernel.Multiplication;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * Multiplies until the JIT compiler has compiled a kernel: 0.1 s of processor time and 64 MiB for
 * each kind of matrix, and at most 1 s for a kernel that is slow before it is compiled.
 */
final class WarmUp {
  private static final int CELL = 64 * 1024;
  private static final long LEAST_BYTES = 64 << 20;
  private static final long LEAST_NANOS = 100_000_000;
  private static final long MOST_NANOS = 1_000_000_000;

  private final LongSupplier clock;

  /**
   * @param clock nanoseconds that the calling thread has worked
   */
  WarmUp(LongSupplier clock) {
    this.clock = clock;
  }

  /** Counts processor time, where the JVM can tell it, so that a busy machine changes little. */
  static WarmUp ofThisThread() {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    return new WarmUp(
        threads.isCurrentThreadCpuTimeSupported()
            ? threads::getCurrentThreadCpuTime
            : System::nanoTime);
  }

  void run(Function<CodingMatrix, Multiplication> kernel) {
    // The shapes of rs-10-4, and of a bit-matrix code for (10,4) whose elements are 4 x 4 bits.
    run(kernel, matrix(4, 10, 256));
    run(kernel, matrix(16, 40, 2));
  }

  private void run(Function<CodingMatrix, Multiplication> kernel, CodingMatrix matrix) {
    Multiplication multiplication = kernel.apply(matrix);
    ByteBuffer[] inputs = buffers(matrix.columns());
    ByteBuffer[] outputs = buffers(matrix.rows());
    long start = clock.getAsLong();
    long bytes = 0;
    long elapsed;
    do {
      multiplication.multiply(inputs, outputs);
      bytes += (long) inputs.length * CELL;
      elapsed = clock.getAsLong() - start;
    } while (elapsed < MOST_NANOS && (elapsed < LEAST_NANOS || bytes < LEAST_BYTES));
  }

  private static CodingMatrix matrix(int rows, int columns, int below) {
    Random random = new Random(1);
    int[][] elements = new int[rows][];
    Arrays.setAll(elements, row -> random.ints(columns, 0, below).toArray());
    return CodingMatrix.of(columns, elements);
  }

  private static ByteBuffer[] buffers(int count) {
    // Random bytes take the branches that data takes; zeros would not.
    Random random = new Random(1);
    ByteBuffer[] buffers = new ByteBuffer[count];
    for (int i = 0; i < count; i++) {
      byte[] bytes = new byte[CELL];
      random.nextBytes(bytes);
      buffers[i] = ByteBuffer.wrap(bytes);
    }
    return buffers;
  }
}
