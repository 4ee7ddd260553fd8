// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.erasurecode.kernel;

import io.hdfsraid.erasurecode.algebra.CodingMatrix;
import io.hdfsraid.erasurecode.kernel.Kernel.Multiplication;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * Tests a kernel on this machine before it is used: every product of two bytes, every length up to
 * a few hundred bytes at odd addresses, and buffers longer than any block it may work in; with any
 * coefficients, with zeros and ones only, and plain sums, in heap and direct buffers. Takes a
 * fraction of a second also before the JIT compiler has seen anything.
 */
final class SelfTest {
  private static final int PRODUCTS = 256;
  private static final int BINARY = 2;
  private static final int MOST_ROWS = 13;
  private static final int MOST_COLUMNS = 17;
  private static final int LONGEST = 300;
  private static final int LONG = 70_001;
  private static final int ALIGNMENT = 64;
  private static final CodingMatrix SUM = CodingMatrix.of(5, new int[] {1, 1, 1, 1, 1});
  private static final byte GUARD = 0x5A;

  private final Random random = new Random(1);
  private final Function<CodingMatrix, Multiplication> kernel;

  private SelfTest(Function<CodingMatrix, Multiplication> kernel) {
    this.kernel = kernel;
  }

  /**
   * The first fault found, in words; empty when there is none.
   *
   * @param kernel what prepares a matrix: {@code kernel::prepare}
   */
  static Optional<String> firstFault(Function<CodingMatrix, Multiplication> kernel) {
    SelfTest test = new SelfTest(kernel);
    return test.products()
        .or(test::lengths)
        .or(() -> test.agree(SUM, Kind.HEAP, 0, LONGEST))
        .or(() -> test.agree(test.matrix(2, 3, PRODUCTS), Kind.HEAP, LONG, LONG))
        .or(() -> test.agree(test.matrix(2, 3, PRODUCTS), Kind.DIRECT, LONG, LONG))
        .or(() -> test.agree(test.matrix(3, 4, BINARY), Kind.HEAP, LONG, LONG))
        .or(() -> test.agree(test.matrix(3, 4, BINARY), Kind.DIRECT, LONG, LONG))
        .or(() -> test.agree(SUM, Kind.HEAP, LONG, LONG))
        .or(() -> test.agree(SUM, Kind.DIRECT, LONG, LONG));
  }

  private Optional<String> products() {
    int[][] everyCoefficient =
        IntStream.range(0, PRODUCTS).mapToObj(a -> new int[] {a}).toArray(int[][]::new);
    return agree(CodingMatrix.of(1, everyCoefficient), Kind.DIRECT, PRODUCTS, PRODUCTS);
  }

  private Optional<String> lengths() {
    Optional<String> fault = Optional.empty();
    for (int rows = 1; rows <= MOST_ROWS && fault.isEmpty(); rows++) {
      int columns = 1 + rows * 7 % MOST_COLUMNS;
      CodingMatrix matrix = matrix(rows, columns, rows % 2 == 0 ? BINARY : PRODUCTS);
      fault = agree(matrix, Kind.values()[rows % Kind.values().length], 0, LONGEST);
    }
    return fault;
  }

  /**
   * @param below the bound that every element is below
   */
  private CodingMatrix matrix(int rows, int columns, int below) {
    int[][] elements = new int[rows][];
    Arrays.setAll(elements, row -> random.ints(columns, 0, below).toArray());
    return CodingMatrix.of(columns, elements);
  }

  /** Compares all lengths from the shortest to the longest. */
  private Optional<String> agree(CodingMatrix matrix, Kind kind, int shortest, int longest) {
    ByteBuffer[] inputs = buffers(matrix.columns(), longest, kind);
    for (ByteBuffer input : inputs) {
      input.put(input.position(), bytes(longest));
    }
    ByteBuffer[] expected = buffers(matrix.rows(), longest, Kind.HEAP);
    ScalarKernel.multiplyFrom(matrix, 0, inputs, expected);
    ByteBuffer[] outputs = buffers(matrix.rows(), longest, kind);
    Multiplication multiplication = kernel.apply(matrix);
    for (int length = shortest; length <= longest; length++) {
      for (ByteBuffer[] buffers : new ByteBuffer[][] {inputs, outputs, expected}) {
        for (ByteBuffer buffer : buffers) {
          buffer.limit(buffer.position() + length);
        }
      }
      multiplication.multiply(inputs, outputs);
      for (int row = 0; row < outputs.length; row++) {
        int wrong = outputs[row].mismatch(expected[row]);
        if (wrong >= 0 || !isUntouchedAround(outputs[row])) {
          return Optional.of(
              "row %d of %d is wrong from byte %s on, for %d inputs of %d bytes in %s memory"
                  .formatted(
                      row,
                      outputs.length,
                      wrong < 0 ? "%d (which is none of it)".formatted(length) : wrong,
                      inputs.length,
                      length,
                      kind.words));
        }
      }
    }
    return Optional.empty();
  }

  /** Every byte once, and then any. */
  private byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    int first = random.nextInt(PRODUCTS);
    for (int i = 0; i < Math.min(length, PRODUCTS); i++) {
      // Times an odd number: a permutation of the 256 bytes.
      bytes[i] = (byte) (first + i * 167);
    }
    return bytes;
  }

  private static boolean isUntouchedAround(ByteBuffer output) {
    ByteBuffer whole = output.duplicate().clear();
    return whole.get(output.position() - 1) == GUARD && whole.get(output.limit()) == GUARD;
  }

  /** Each at another distance from an aligned address, between guards. */
  private static ByteBuffer[] buffers(int count, int length, Kind kind) {
    byte[] guards = new byte[1 + ALIGNMENT + length];
    Arrays.fill(guards, GUARD);
    ByteBuffer[] buffers = new ByteBuffer[count];
    for (int i = 0; i < count; i++) {
      int position = 1 + i * 7 % ALIGNMENT;
      int capacity = position + length + 1;
      ByteBuffer buffer =
          kind.isDirect(i)
              ? ByteBuffer.allocateDirect(capacity)
              : ByteBuffer.allocate(ALIGNMENT + capacity).slice(ALIGNMENT / 2, capacity);
      buffers[i] = buffer.put(0, guards, 0, capacity).position(position);
    }
    return buffers;
  }

  private enum Kind {
    DIRECT("direct"),
    HEAP("heap"),
    MIXED("heap and direct");

    final String words;

    Kind(String words) {
      this.words = words;
    }

    boolean isDirect(int index) {
      return this == DIRECT || (this == MIXED && index % 2 == 0);
    }
  }
}
