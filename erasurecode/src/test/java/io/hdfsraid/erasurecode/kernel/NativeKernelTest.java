// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.erasurecode.kernel;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.abort;

import com.sun.management.ThreadMXBean;
import io.hdfsraid.erasurecode.algebra.CodingMatrix;
import io.hdfsraid.erasurecode.algebra.RandomMatrix;
import io.hdfsraid.erasurecode.kernel.Kernel.Multiplication;
import java.lang.management.ManagementFactory;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What {@link KernelTest} does not ask of every kernel. */
class NativeKernelTest {
  private static final int CALLS = 1000;

  /** Bytes that asking for the allocated bytes may allocate. */
  private static final long MEASURING = 500;

  /**
   * Skips the test, with the reason, on a machine without the library. A library that is there and
   * does not pass its trial is a fault, perhaps of the kernel itself.
   */
  static NativeKernel kernel() {
    try {
      return NativeKernel.load();
    } catch (KernelUnavailableException e) {
      return e.getMessage().contains("cannot be loaded (")
          ? abort(e.getMessage())
          : fail(e.getMessage(), e);
    }
  }

  /** Where the bytes of the buffers are. */
  enum Memory {
    HEAP,
    DIRECT,
    MIXED,
    /** Direct, and each at another distance from an aligned address. */
    ODD;

    ByteBuffer[] buffers(int count, int length) {
      ByteBuffer[] buffers = new ByteBuffer[count];
      Arrays.setAll(buffers, i -> buffer(i, length));
      return buffers;
    }

    private ByteBuffer buffer(int index, int length) {
      if (this == HEAP || (this == MIXED && index % 3 == 0)) {
        return ByteBuffer.allocate(length);
      }
      int shift = this == ODD ? 1 + index * 5 % 64 : 0;
      return NativeWorkspace.aligned(shift + length).slice(shift, length);
    }
  }

  @Test
  void itsDetailNamesVersionInstructionSetAndFile() {
    assertThat(kernel().detail()).startsWith("ISA-L ").contains("libisal");
  }

  @Test
  void askedAgainItIsTheSame() throws KernelUnavailableException {
    assertThat(kernel()).isSameAs(NativeKernel.load());
  }

  @ParameterizedTest
  @EnumSource
  void allLengthsAreRight(Memory memory) {
    Random random = new Random(21);
    CodingMatrix matrix = RandomMatrix.of(5, 11, random);
    Multiplication multiplication = kernel().prepare(matrix);
    for (int length = 0; length <= 300; length++) {
      agree(matrix, multiplication, memory, length, random);
    }
  }

  /** A piece is of a length that depends on how many buffers there are. */
  @ParameterizedTest
  @EnumSource
  void lengthsAroundSeveralPiecesAreRight(Memory memory) {
    Random random = new Random(23);
    for (int rows : new int[] {2, 9}) {
      CodingMatrix matrix = RandomMatrix.of(rows, 3, random);
      Multiplication multiplication = kernel().prepare(matrix);
      int piece = 256 * 1024 / (rows + 3) & -64;
      for (int length : new int[] {piece - 1, piece, piece + 1, 3 * piece - 63, 3 * piece + 65}) {
        agree(matrix, multiplication, memory, length, random);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void plainSumsAreRightAtAllLengths(Memory memory) {
    Random random = new Random(29);
    for (int columns : new int[] {1, 2, 5}) {
      int[] ones = new int[columns];
      Arrays.fill(ones, 1);
      CodingMatrix matrix = CodingMatrix.of(columns, ones);
      Multiplication multiplication = kernel().prepare(matrix);
      for (int length = 0; length <= 300; length++) {
        agree(matrix, multiplication, memory, length, random);
      }
      int piece = 256 * 1024 / (columns + 1) & -64;
      for (int length : new int[] {piece, piece + 64, 2 * piece + 65}) {
        agree(matrix, multiplication, memory, length, random);
      }
    }
  }

  private static void agree(
      CodingMatrix matrix,
      Multiplication multiplication,
      Memory memory,
      int length,
      Random random) {
    ByteBuffer[] inputs = memory.buffers(matrix.columns(), length);
    for (ByteBuffer input : inputs) {
      byte[] bytes = new byte[length];
      random.nextBytes(bytes);
      input.put(0, bytes);
    }
    ByteBuffer[] outputs = memory.buffers(matrix.rows(), length);
    for (ByteBuffer output : outputs) {
      output.put(0, "old".repeat(length).getBytes(US_ASCII), 0, length);
    }
    ByteBuffer[] expected = Memory.HEAP.buffers(matrix.rows(), length);
    multiplication.multiply(inputs, outputs);
    ScalarKernel.multiplyFrom(matrix, 0, inputs, expected);
    // Thousands of cases: words are only needed for the one that fails.
    if (!Arrays.equals(outputs, expected)) {
      assertThat(outputs)
          .as("%d inputs, %d outputs, %d bytes", inputs.length, outputs.length, length)
          .isEqualTo(expected);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aCallTakesNoMemoryOfTheHeap(Memory memory) {
    Multiplication multiplication = kernel().prepare(RandomMatrix.of(4, 10, new Random(24)));
    ByteBuffer[] inputs = memory.buffers(10, 4096);
    ByteBuffer[] outputs = memory.buffers(4, 4096);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long self = Thread.currentThread().getId();
    // Until the JIT compiler gets to it, it takes a little for each direct buffer.
    long least = Long.MAX_VALUE;
    for (int round = 0; round < 2000 && least > MEASURING; round++) {
      long before = threads.getThreadAllocatedBytes(self);
      for (int i = 0; i < CALLS; i++) {
        multiplication.multiply(inputs, outputs);
      }
      least = Math.min(least, threads.getThreadAllocatedBytes(self) - before);
    }
    assertThat(least).as("bytes allocated by %d calls", CALLS).isLessThanOrEqualTo(MEASURING);
  }

  @Test
  void withoutJnaItSaysWhatIsMissing() throws Exception {
    URL own = NativeKernel.class.getProtectionDomain().getCodeSource().getLocation();
    try (URLClassLoader loader =
        new URLClassLoader(new URL[] {own}, ClassLoader.getPlatformClassLoader())) {
      Class<?> kernel = loader.loadClass(NativeKernel.class.getName());
      var load = kernel.getDeclaredMethod("load");
      load.setAccessible(true);
      assertThatThrownBy(() -> load.invoke(null))
          .cause()
          .hasMessageContaining("JNA is not on the class path")
          .hasMessageContaining("net.java.dev.jna:jna")
          .satisfies(
              e ->
                  assertThat(e.getClass().getName())
                      .isEqualTo(KernelUnavailableException.class.getName()));
    }
  }
}
