// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.erasurecode.kernel;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.erasurecode.algebra.CodingMatrix;
import io.hdfsraid.erasurecode.algebra.Gf256;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@link KernelTest} does not ask of every kernel. */
class VectorKernelTest {
  /** One row is left to another kernel, and each column of three has tables of another kind. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void everyCoefficientGivesTheProductOfEveryByteInEachPlace(int columns) throws Exception {
    // Not load(): the bytes are the same on every processor.
    VectorKernel kernel = VectorKernel.ofAnyWidth();
    for (int column = 0; column < columns; column++) {
      ByteBuffer[] inputs = new ByteBuffer[columns];
      Arrays.setAll(inputs, i -> ByteBuffer.allocate(Gf256.SIZE));
      for (int b = 0; b < Gf256.SIZE; b++) {
        inputs[column].put(b, (byte) b);
      }
      for (int a = 0; a < Gf256.SIZE; a += 4) {
        int[][] rows = new int[4][columns];
        ByteBuffer[] outputs = new ByteBuffer[4];
        for (int r = 0; r < 4; r++) {
          rows[r][column] = a + r;
          outputs[r] = ByteBuffer.allocate(Gf256.SIZE);
        }
        kernel.prepare(CodingMatrix.of(columns, rows)).multiply(inputs, outputs);
        for (int r = 0; r < 4; r++) {
          assertThat(outputs[r].array())
              .as("column %d of %d, times %d", column, columns, a + r)
              .isEqualTo(Gf256.products(a + r));
        }
      }
    }
  }

  @Test
  void withoutTheModuleItSaysWhatToAdd() throws Exception {
    assertThat(loadInAnotherJava())
        .isEqualTo(
            "Java's Vector API is not there: start Java with --add-modules jdk.incubator.vector");
  }

  /** Java would imitate wider ones, at a thousandth of the speed. */
  @Test
  void withNarrowVectorsItSaysSo() throws Exception {
    assertThat(loadInAnotherJava("--add-modules", "jdk.incubator.vector", "-XX:MaxVectorSize=16"))
        .startsWith("Java has vectors of 128 bits on this processor, but 512 are needed");
  }

  private static String loadInAnotherJava(String... options) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(options));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Load.class.getName()));
    Process process = new ProcessBuilder(command).start();
    return new String(process.getInputStream().readAllBytes(), UTF_8).strip();
  }

  /** Prints why there is no kernel. */
  static final class Load {
    public static void main(String[] args) {
      try {
        System.out.println(VectorKernel.load().detail());
      } catch (KernelUnavailableException e) {
        System.out.println(e.getMessage());
      }
    }
  }
}
