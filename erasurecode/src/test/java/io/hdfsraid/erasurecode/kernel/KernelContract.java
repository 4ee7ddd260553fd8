// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.erasurecode.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.erasurecode.algebra.CodingMatrix;
import io.hdfsraid.erasurecode.algebra.Gf256;
import io.hdfsraid.erasurecode.algebra.RandomMatrix;
import io.hdfsraid.erasurecode.kernel.Kernel.Multiplication;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * What is true of every kernel: the same bytes as by the definition, whatever the matrix, the
 * length and the buffers, and nothing else touched.
 */
final class KernelContract {
  private static final int GUARD = 3;
  private static final byte UNTOUCHED = 99;

  private final String name;
  private final Function<CodingMatrix, Multiplication> kernel;

  KernelContract(String name, Function<CodingMatrix, Multiplication> kernel) {
    this.name = name;
    this.kernel = kernel;
  }

  void everyCoefficientGivesTheProductOfEveryByte() {
    byte[] bytes = new byte[256];
    for (int b = 0; b < 256; b++) {
      bytes[b] = (byte) b;
    }
    for (int a = 0; a < 256; a++) {
      byte[] product = new byte[256];
      kernel
          .apply(CodingMatrix.of(1, new int[] {a}))
          .multiply(
              new ByteBuffer[] {ByteBuffer.wrap(bytes)},
              new ByteBuffer[] {ByteBuffer.wrap(product)});
      assertThat(product).as("%s: every byte times %d", name, a).isEqualTo(Gf256.products(a));
    }
  }

  /** Every length up to some vectors and words, then about the sizes in which kernels work. */
  void everyLength() {
    Random random = new Random(11);
    CodingMatrix general = RandomMatrix.of(4, 10, random);
    CodingMatrix binary = binary(8, 20, random);
    IntStream.concat(
            IntStream.rangeClosed(0, 300),
            IntStream.of(512, 1024, 2048, 3072, 4096, 6144, 8192, 65_536)
                .flatMap(size -> IntStream.of(size - 9, size - 1, size, size + 1, size + 63)))
        .forEach(
            length -> {
              agree(general, length, random);
              agree(binary, length, random);
            });
  }

  /** Also more rows and columns than a kernel may handle at once. */
  void everyShape() {
    Random random = new Random(12);
    int[] columns = {0, 1, 2, 3, 4, 5, 6, 7, 9, 10, 12, 13, 19, 47, 48, 49, 96, 97, 129, 255};
    for (int count : columns) {
      for (int rows : new int[] {0, 1, 2, 3, 4, 5, 9}) {
        agree(RandomMatrix.of(rows, count, random), 77, random);
        agree(binary(rows, count, random), 77, random);
      }
    }
    agree(RandomMatrix.of(131, 7, random), 1033, random);
    agree(RandomMatrix.of(3, 150, random), 5003, random);
    agree(binary(140, 300, random), 1033, random);
    agree(binary(3, 260, random), 5003, random);
  }

  void zerosAndOnesAreHandledLikeAnyCoefficient() {
    Random random = new Random(13);
    agree(
        CodingMatrix.of(
            5,
            new int[] {1, 1, 1, 1, 1},
            new int[5],
            new int[] {0, 1, 0, 1, 0},
            new int[] {0, 0, 0x80, 0, 0},
            new int[] {2, 0, 0, 0, 1}),
        3001,
        random);
    agree(CodingMatrix.identity(7), 3001, random);
    agree(CodingMatrix.of(4, new int[4], new int[4]), 3001, random);
  }

  void everyMixtureOfBuffers() {
    Random random = new Random(14);
    for (Memory input : Memory.values()) {
      for (Memory output : Memory.values()) {
        for (int length : new int[] {1, 8, 23, 64, 200, 3333}) {
          agree(RandomMatrix.of(3, 6, random), length, List.of(input), List.of(output), random);
          agree(binary(3, 6, random), length, List.of(input), List.of(output), random);
        }
      }
    }
  }

  void manyThreadsShareOneMultiplication() throws InterruptedException, ExecutionException {
    Random seeds = new Random(15);
    for (CodingMatrix matrix : List.of(RandomMatrix.of(4, 10, seeds), binary(12, 30, seeds))) {
      Multiplication shared = kernel.apply(matrix);
      ExecutorService threads = Executors.newFixedThreadPool(8);
      try {
        List<Future<?>> results = new ArrayList<>();
        for (int i = 0; i < 32; i++) {
          Random random = new Random(i);
          int length = 1000 + random.nextInt(4000);
          results.add(threads.submit(() -> agree(shared, matrix, length, random)));
        }
        for (Future<?> result : results) {
          result.get();
        }
      } finally {
        threads.shutdownNow();
      }
    }
  }

  private void agree(CodingMatrix matrix, int length, Random random) {
    agree(kernel.apply(matrix), matrix, length, random);
  }

  private void agree(Multiplication tested, CodingMatrix matrix, int length, Random random) {
    List<Memory> any = List.of(Memory.values());
    agree(tested, matrix, length, any, any, random);
  }

  private void agree(
      CodingMatrix matrix, int length, List<Memory> from, List<Memory> to, Random random) {
    agree(kernel.apply(matrix), matrix, length, from, to, random);
  }

  private void agree(
      Multiplication tested,
      CodingMatrix matrix,
      int length,
      List<Memory> from,
      List<Memory> to,
      Random random) {
    ByteBuffer[] inputs = new ByteBuffer[matrix.columns()];
    byte[][] data = new byte[inputs.length][length];
    for (int i = 0; i < inputs.length; i++) {
      random.nextBytes(data[i]);
      inputs[i] = from.get(random.nextInt(from.size())).holding(data[i], random);
      if (random.nextBoolean()) {
        inputs[i] = inputs[i].asReadOnlyBuffer().order(inputs[i].order());
      }
    }
    ByteBuffer[] outputs = new ByteBuffer[matrix.rows()];
    Arrays.setAll(
        outputs,
        i -> {
          byte[] rubbish = new byte[length];
          random.nextBytes(rubbish);
          return to.get(random.nextInt(to.size())).holding(rubbish, random);
        });
    int[] positions = Arrays.stream(outputs).mapToInt(ByteBuffer::position).toArray();

    tested.multiply(inputs, outputs);

    String what = "%s: %d x %d, %d bytes".formatted(name, matrix.rows(), matrix.columns(), length);
    byte[][] expected = product(matrix, data, length);
    for (int row = 0; row < outputs.length; row++) {
      assertThat(outputs[row].position()).as("%s, position", what).isEqualTo(positions[row]);
      // Thousands of cases: words are only needed for the one that fails.
      if (!Arrays.equals(bytes(outputs[row]), expected[row])) {
        assertThat(bytes(outputs[row]))
            .as("%s, row %d, %s", what, row, outputs[row])
            .isEqualTo(expected[row]);
      }
      assertGuarded(outputs[row], what);
    }
    for (int i = 0; i < inputs.length; i++) {
      assertThat(bytes(inputs[i])).as("%s, input %d afterwards", what, i).isEqualTo(data[i]);
    }
  }

  /** By the definition, independent of every kernel. */
  private static byte[][] product(CodingMatrix matrix, byte[][] data, int length) {
    byte[][] product = new byte[matrix.rows()][length];
    for (int row = 0; row < product.length; row++) {
      for (int column = 0; column < data.length; column++) {
        byte[] times = Gf256.products(matrix.get(row, column));
        for (int i = 0; i < length; i++) {
          product[row][i] ^= times[data[column][i] & 0xFF];
        }
      }
    }
    return product;
  }

  private static byte[] bytes(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.get(buffer.position(), bytes);
    return bytes;
  }

  private static void assertGuarded(ByteBuffer buffer, String what) {
    ByteBuffer all = buffer.duplicate().clear();
    for (int i = 0; i < all.capacity(); i++) {
      if (i < buffer.position() || i >= buffer.limit()) {
        assertThat(all.get(i)).as("%s, byte %d around %s", what, i, buffer).isEqualTo(UNTOUCHED);
      }
    }
  }

  static CodingMatrix binary(int rows, int columns, Random random) {
    int[][] elements = new int[rows][columns];
    for (int[] row : elements) {
      for (int c = 0; c < columns; c++) {
        row[c] = random.nextInt(2);
      }
    }
    return CodingMatrix.of(columns, elements);
  }

  /** Where the bytes of a buffer may lie. */
  private enum Memory {
    HEAP {
      @Override
      ByteBuffer allocate(int capacity) {
        return ByteBuffer.allocate(capacity);
      }
    },
    PART_OF_AN_ARRAY {
      @Override
      ByteBuffer allocate(int capacity) {
        return ByteBuffer.allocate(capacity + 10).slice(5, capacity);
      }
    },
    DIRECT {
      @Override
      ByteBuffer allocate(int capacity) {
        return ByteBuffer.allocateDirect(capacity);
      }
    };

    abstract ByteBuffer allocate(int capacity);

    /** At a random position, with bytes around that must not change, of a random byte order. */
    ByteBuffer holding(byte[] bytes, Random random) {
      int position = random.nextInt(GUARD + 1);
      ByteBuffer buffer = allocate(position + bytes.length + GUARD);
      for (int i = 0; i < buffer.capacity(); i++) {
        buffer.put(i, UNTOUCHED);
      }
      return buffer
          .position(position)
          .limit(position + bytes.length)
          .put(position, bytes)
          .order(random.nextBoolean() ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN);
    }
  }
}
