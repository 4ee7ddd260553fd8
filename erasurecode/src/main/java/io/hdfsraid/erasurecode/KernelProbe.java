package io.hdfsraid.erasurecode;

import io.hdfsraid.erasurecode.Kernel.Multiplication;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * Measures kernels where it matters: on one thread, with {@code rs-10-4} and with the bit matrix of
 * {@code crs-good-10-4}, in cells of 64 KiB on the heap, which is where the rows of a stripe are.
 * They take turns, and medians are compared, so that what else the machine does meets all of them.
 *
 * <p>Takes 0.2 s of processor time for each kernel to warm up, up to 2 s for one that is slow at
 * first, and less than 0.1 s to measure it.
 */
final class KernelProbe {
  private static final int CELL = 64 * 1024;
  private static final long WARM_UP_NANOS = 100_000_000;

  // Some kernels are a thousand times slower at first: it takes them so much to be compiled.
  private static final long WARM_UP_BYTES = 64 << 20;
  private static final long LONGEST_WARM_UP_NANOS = 1_000_000_000;
  private static final long SLICE_NANOS = 4_000_000;
  private static final int ROUNDS = 9;

  private final LongSupplier clock;

  /**
   * @param clock nanoseconds that the calling thread has worked
   */
  KernelProbe(LongSupplier clock) {
    this.clock = clock;
  }

  /** By processor time, which a busy machine distorts less, where the JVM can tell it. */
  static KernelProbe ofThisProcess() {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    return new KernelProbe(
        threads.isCurrentThreadCpuTimeSupported()
            ? threads::getCurrentThreadCpuTime
            : System::nanoTime);
  }

  /** Uses the kernel until the JIT compiler has seen its loops. */
  void warmUp(Function<CodingMatrix, Multiplication> kernel) {
    for (MatrixKind kind : MatrixKind.values()) {
      Work work = new Work(matrix(kind), kernel);
      long start = clock.getAsLong();
      long bytes = 0;
      long elapsed;
      do {
        bytes += work.multiply();
        elapsed = clock.getAsLong() - start;
      } while (elapsed < LONGEST_WARM_UP_NANOS
          && (elapsed < WARM_UP_NANOS || bytes < WARM_UP_BYTES));
    }
  }

  /**
   * @param kernels by name
   */
  KernelSpeeds measure(Map<String, Function<CodingMatrix, Multiplication>> kernels) {
    Map<String, Map<MatrixKind, Double>> medians = new HashMap<>();
    kernels.keySet().forEach(name -> medians.put(name, new EnumMap<>(MatrixKind.class)));
    for (MatrixKind kind : MatrixKind.values()) {
      Map<String, Work> works = new HashMap<>();
      Map<String, List<Double>> speeds = new HashMap<>();
      kernels.forEach(
          (name, kernel) -> {
            works.put(name, new Work(matrix(kind), kernel));
            speeds.put(name, new ArrayList<>());
          });
      for (int round = 0; round < ROUNDS; round++) {
        works.forEach(
            (name, work) -> speeds.get(name).add(work.gigabytesPerSecond(SLICE_NANOS, clock)));
      }
      speeds.forEach((name, rounds) -> medians.get(name).put(kind, median(rounds)));
    }
    return new KernelSpeeds(medians);
  }

  private static CodingMatrix matrix(MatrixKind kind) {
    LinearCode code =
        switch (kind) {
          case GENERAL -> ReedSolomon.code(10, 4);
          case BINARY -> CauchyBitMatrix.good(10, 4);
        };
    return code.steps().get(0).weights();
  }

  private static double median(List<Double> values) {
    return values.stream().sorted().skip(values.size() / 2).findFirst().orElseThrow();
  }

  /** One kernel, one matrix. */
  private static final class Work {
    private final Multiplication multiplication;
    private final ByteBuffer[] inputs;
    private final ByteBuffer[] outputs;

    Work(CodingMatrix matrix, Function<CodingMatrix, Multiplication> kernel) {
      multiplication = kernel.apply(matrix);
      inputs = new ByteBuffer[matrix.columns()];
      outputs = new ByteBuffer[matrix.rows()];
      Random random = new Random(1);
      byte[] bytes = new byte[CELL];
      Arrays.setAll(
          inputs,
          i -> {
            random.nextBytes(bytes);
            return ByteBuffer.wrap(bytes.clone());
          });
      Arrays.setAll(outputs, i -> ByteBuffer.allocate(CELL));
    }

    /** Returns the bytes of input. */
    long multiply() {
      multiplication.multiply(inputs, outputs);
      return (long) inputs.length * CELL;
    }

    /** At least one multiplication. */
    double gigabytesPerSecond(long nanos, LongSupplier clock) {
      long start = clock.getAsLong();
      long bytes = 0;
      long elapsed;
      do {
        bytes += multiply();
        elapsed = clock.getAsLong() - start;
      } while (elapsed < nanos);
      return (double) bytes / elapsed;
    }
  }
}
