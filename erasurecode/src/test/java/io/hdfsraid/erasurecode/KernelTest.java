package io.hdfsraid.erasurecode;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Constructor;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A new kernel is tested without being listed here. */
class KernelTest {
  private static final int[] LENGTHS = {
    0, 1, 2, 7, 8, 9, 15, 16, 17, 63, 64, 65, 255, 1023, 2047, 2048, 2049, 4096, 4103, 10_001
  };

  static List<Kernel> kernels() throws ReflectiveOperationException {
    List<Kernel> kernels = new ArrayList<>();
    for (Class<?> kernel : Kernel.class.getPermittedSubclasses()) {
      Constructor<?> constructor = kernel.getDeclaredConstructor();
      kernels.add((Kernel) constructor.newInstance());
    }
    return kernels;
  }

  @ParameterizedTest
  @MethodSource("kernels")
  void everyCoefficientGivesTheProductOfEveryByte(Kernel kernel) {
    byte[] bytes = new byte[256];
    for (int b = 0; b < 256; b++) {
      bytes[b] = (byte) b;
    }
    for (int a = 0; a < 256; a++) {
      ByteBuffer output = ByteBuffer.allocate(256);
      kernel
          .prepare(CodingMatrix.of(1, new int[] {a}))
          .multiply(new ByteBuffer[] {ByteBuffer.wrap(bytes)}, new ByteBuffer[] {output});
      assertThat(output.array()).as("times %d", a).isEqualTo(Gf256.products(a));
    }
  }

  @ParameterizedTest
  @MethodSource("kernels")
  void allLengthsAndShapesAgreeWithTheDefinition(Kernel kernel) {
    Random random = new Random(11);
    for (int length : LENGTHS) {
      agree(kernel, CodingMatrixTest.random(4, 10, random), length, random);
    }
    for (int columns : new int[] {0, 1, 2, 3, 4, 5, 6, 13, 47, 48, 49, 96, 97, 150}) {
      agree(kernel, CodingMatrixTest.random(3, columns, random), 2061, random);
    }
    agree(kernel, CodingMatrixTest.random(0, 3, random), 100, random);
  }

  @ParameterizedTest
  @MethodSource("kernels")
  void zerosAndOnesAreHandledLikeAnyCoefficient(Kernel kernel) {
    Random random = new Random(12);
    CodingMatrix sparse =
        CodingMatrix.of(
            5,
            new int[] {1, 1, 1, 1, 1},
            new int[5],
            new int[] {0, 1, 0, 1, 0},
            new int[] {0, 0, 0x80, 0, 0},
            new int[] {2, 0, 0, 0, 1});
    agree(kernel, sparse, 3001, random);
  }

  @ParameterizedTest
  @MethodSource("kernels")
  void manyThreadsShareOneKernel(Kernel kernel) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try {
      List<Future<?>> results = new ArrayList<>();
      for (int i = 0; i < 64; i++) {
        Random random = new Random(i);
        results.add(
            threads.submit(
                () -> agree(kernel, CodingMatrixTest.random(4, 10, random), 5003, random)));
      }
      for (Future<?> result : results) {
        result.get();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  /** Heap and direct, read-only, of both byte orders, at odd positions: all like the definition. */
  private static void agree(Kernel kernel, CodingMatrix matrix, int length, Random random) {
    byte[][] data = new byte[matrix.columns()][length];
    ByteBuffer[] inputs = new ByteBuffer[data.length];
    for (int i = 0; i < data.length; i++) {
      random.nextBytes(data[i]);
      inputs[i] = buffer(i, length, random).put(data[i]).position(i % 3);
    }
    ByteBuffer[] views = inputs.clone();
    for (int i = 0; i < views.length; i += 2) {
      views[i] = inputs[i].asReadOnlyBuffer();
    }
    ByteBuffer[] outputs = new ByteBuffer[matrix.rows()];
    Arrays.setAll(outputs, i -> buffer(i, length, random));

    kernel.prepare(matrix).multiply(views, outputs);

    for (int i = 0; i < inputs.length; i++) {
      assertThat(views[i].position()).isEqualTo(i % 3);
      assertThat(bytes(inputs[i], length)).as("input %d is unchanged", i).isEqualTo(data[i]);
    }
    for (int row = 0; row < outputs.length; row++) {
      byte[] expected = new byte[length];
      for (int column = 0; column < data.length; column++) {
        for (int i = 0; i < length; i++) {
          expected[i] ^= (byte) Gf256.multiply(matrix.get(row, column), data[column][i] & 0xFF);
        }
      }
      assertThat(outputs[row].position()).isEqualTo(row % 3);
      assertThat(bytes(outputs[row], length))
          .as("%s row %d of %d inputs, length %d", kernel, row, data.length, length)
          .isEqualTo(expected);
      ByteBuffer beyond = outputs[row].duplicate().clear();
      assertThat(beyond.get(row % 3 + length)).as("byte after the limit").isEqualTo((byte) 99);
    }
  }

  private static ByteBuffer buffer(int index, int length, Random random) {
    int position = index % 3;
    int capacity = position + length + 1;
    ByteBuffer buffer =
        random.nextBoolean() ? ByteBuffer.allocate(capacity) : ByteBuffer.allocateDirect(capacity);
    buffer.put(capacity - 1, (byte) 99);
    buffer.order(random.nextBoolean() ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN);
    return buffer.position(position).limit(position + length);
  }

  private static byte[] bytes(ByteBuffer buffer, int length) {
    byte[] bytes = new byte[length];
    buffer.get(buffer.position(), bytes);
    return bytes;
  }
}
