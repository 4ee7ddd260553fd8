// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.erasurecode.codes;

import io.hdfsraid.erasurecode.ErasureCodec;
import io.hdfsraid.erasurecode.ReadCost;
import io.hdfsraid.erasurecode.RebuildRecipe;
import io.hdfsraid.erasurecode.RebuildRecipe.Chunk;
import io.hdfsraid.erasurecode.UnitSet;
import io.hdfsraid.erasurecode.kernel.CodingKernels;
import io.hdfsraid.erasurecode.kernel.KernelUnavailableException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * One codec with one kernel, in a JVM of its own. CONTRIBUTING.md says how to run it; {@code
 * bin/bench codec} compares codecs, kernels and Hadoop's own coder in one process.
 *
 * <p>An operation is one cell of each unit. {@code bytes} are those of input: k cells for an
 * encoding, what the recipe reads for a rebuilding.
 */
@State(Scope.Thread)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
    value = 1,
    jvmArgsAppend = {"--add-modules", "jdk.incubator.vector"})
public class CodecBenchmark {
  @Param({"rs-10-4", "crs-good-10-4", "less-10-4", "lrc-xorbas-10-6"})
  public String codec;

  @Param({"portable", "isa-l", "vector"})
  public String kernel;

  /** Bytes of each unit. */
  @Param({"65536", "1048576"})
  public int cell;

  @Param({"direct", "heap"})
  public String memory;

  private ErasureCodec code;
  private ByteBuffer[] data;
  private ByteBuffer[] parity;
  private Rebuild one;
  private Rebuild most;

  /** The secondary results. */
  @AuxCounters
  @State(Scope.Thread)
  public static class Input {
    public long bytes;

    @Setup(Level.Iteration)
    public void reset() {
      bytes = 0;
    }
  }

  @Setup
  public void setUp() throws KernelUnavailableException {
    CodingKernels.force(kernel);
    code = Codecs.parse(codec);
    IntFunction<ByteBuffer> allocate =
        memory.equals("direct") ? ByteBuffer::allocateDirect : ByteBuffer::allocate;
    data = buffers(code.shape().dataUnits(), cell, allocate);
    parity = buffers(code.shape().parityUnits(), cell, allocate);
    one = new Rebuild(code, UnitSet.of(0), cell, allocate);
    int losses = code.furtherLosses(UnitSet.none());
    most = new Rebuild(code, UnitSet.of(IntStream.range(0, losses)), cell, allocate);
  }

  private static ByteBuffer[] buffers(int count, int length, IntFunction<ByteBuffer> allocate) {
    Random random = new Random(1);
    byte[] bytes = new byte[length];
    ByteBuffer[] buffers = new ByteBuffer[count];
    Arrays.setAll(
        buffers,
        i -> {
          random.nextBytes(bytes);
          return allocate.apply(length).put(bytes).flip();
        });
    return buffers;
  }

  @Benchmark
  public ByteBuffer[] encode(Input input) {
    code.encode(data, parity);
    input.bytes += (long) data.length * cell;
    return parity;
  }

  @Benchmark
  public ByteBuffer[] decode1(Input input) {
    return one.run(input);
  }

  /** As many losses as are borne wherever they fall, all of data. */
  @Benchmark
  public ByteBuffer[] decodem(Input input) {
    return most.run(input);
  }

  private static final class Rebuild {
    private final RebuildRecipe recipe;
    private final ByteBuffer[] inputs;
    private final ByteBuffer[] outputs;
    private final long bytes;

    Rebuild(ErasureCodec code, UnitSet lost, int cell, IntFunction<ByteBuffer> allocate) {
      UnitSet all = UnitSet.all(code.shape());
      recipe = code.recipe(lost, all.minus(lost), ReadCost.UNIFORM).orElseThrow();
      int chunk = cell / code.subUnits();
      List<Chunk> reads = recipe.reads();
      inputs = buffers(reads.size(), chunk, allocate);
      outputs = buffers(lost.size() * code.subUnits(), chunk, allocate);
      bytes = (long) inputs.length * chunk;
    }

    ByteBuffer[] run(Input input) {
      recipe.rebuild(inputs, outputs);
      input.bytes += bytes;
      return outputs;
    }
  }
}
