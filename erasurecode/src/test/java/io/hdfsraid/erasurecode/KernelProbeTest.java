package io.hdfsraid.erasurecode;

import static io.hdfsraid.erasurecode.MatrixKind.BINARY;
import static io.hdfsraid.erasurecode.MatrixKind.GENERAL;
import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.erasurecode.Kernel.Multiplication;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** With a clock that only work moves. */
class KernelProbeTest {
  private long now;
  private final List<String> turns = new ArrayList<>();
  private final KernelProbe probe = new KernelProbe(() -> now);

  /** Takes the given time for each byte of input. */
  private Function<CodingMatrix, Multiplication> kernel(
      String name, double general, double binary) {
    return matrix ->
        (inputs, outputs) -> {
          turns.add(name);
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
  void bytesOfInputPerNanosecondAreGigabytesPerSecond() {
    KernelSpeeds speeds =
        probe.measure(Map.of("fast", kernel("fast", 0.125, 0.25), "slow", kernel("slow", 2, 64)));
    assertThat(speeds.byKernel())
        .isEqualTo(
            Map.of(
                "fast", Map.of(GENERAL, 8.0, BINARY, 4.0),
                "slow", Map.of(GENERAL, 0.5, BINARY, 0.015625)));
  }

  /** So slow that each of the nine rounds is one multiplication. */
  @Test
  void aSlowAndAFastRoundNowAndThenDoNotCount() {
    double[] nanosPerByte = {50, 8, 10, 10, 90, 10, 8, 10, 10};
    KernelSpeeds speeds =
        probe.measure(
            Map.of(
                "unsteady",
                matrix ->
                    (inputs, outputs) -> {
                      now += (long) (bytes(inputs) * nanosPerByte[turns.size() % 9]);
                      turns.add("unsteady");
                    }));
    assertThat(speeds.of("unsteady")).isEqualTo(Map.of(GENERAL, 0.1, BINARY, 0.1));
  }

  @Test
  void kernelsTakeTurns() {
    probe.measure(Map.of("a", kernel("a", 1e6, 1e6), "b", kernel("b", 1e6, 1e6)));
    String one = String.join("", turns.subList(0, 2));
    assertThat(one).isIn("ab", "ba");
    // Slow as they are, each turn is one multiplication.
    assertThat(String.join("", turns)).isEqualTo(one.repeat(18));
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
    turns.clear();
    nanosToWarmUp(1e6, 1e6);
    assertThat(turns).hasSize(2);
  }

  private long nanosToWarmUp(double general, double binary) {
    long start = now;
    probe.warmUp(kernel("warm", general, binary));
    return now - start;
  }
}
