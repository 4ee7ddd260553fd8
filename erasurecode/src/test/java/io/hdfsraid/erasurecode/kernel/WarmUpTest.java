// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.erasurecode.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.erasurecode.algebra.CodingMatrix;
import io.hdfsraid.erasurecode.kernel.Kernel.Multiplication;
import java.nio.ByteBuffer;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** With a clock that only work moves. */
class WarmUpTest {
  private long now;
  private int multiplications;
  private final WarmUp warmUp = new WarmUp(() -> now);

  /** Takes the given time for each byte of input. */
  private Function<CodingMatrix, Multiplication> kernel(double general, double binary) {
    return matrix ->
        (inputs, outputs) -> {
          multiplications++;
          now += (long) (bytes(inputs) * (matrix.isBinary() ? binary : general));
        };
  }

  private static long bytes(ByteBuffer[] inputs) {
    long bytes = 0;
    for (ByteBuffer input : inputs) {
      bytes += input.remaining();
    }
    return bytes;
  }

  @Test
  void warmingUpTakes100MillisecondsAnd64MebibytesOfBothKindsOfMatrices() {
    assertThat(nanosToWarmUp(0.125, 0.125)).isBetween(200_000_000L, 202_000_000L);
    assertThat(nanosToWarmUp(10, 0.125)).isBetween(100_000_000L + (640 << 20), 780_000_000L);
    assertThat(nanosToWarmUp(0.125, 10)).isBetween(100_000_000L + (640 << 20), 800_000_000L);
  }

  @Test
  void warmingUpEndsSomeTimeHoweverSlowTheKernelIs() {
    assertThat(nanosToWarmUp(100, 100)).isBetween(2_000_000_000L, 2_500_000_000L);
    multiplications = 0;
    nanosToWarmUp(1e6, 1e6);
    assertThat(multiplications).isEqualTo(2);
  }

  private long nanosToWarmUp(double general, double binary) {
    long start = now;
    warmUp.run(kernel(general, binary));
    return now - start;
  }
}
