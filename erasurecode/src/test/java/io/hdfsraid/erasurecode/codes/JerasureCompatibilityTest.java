// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.erasurecode.codes;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.erasurecode.StripeShape;
import io.hdfsraid.erasurecode.algebra.CodingMatrix;
import io.hdfsraid.erasurecode.codes.CauchyBitMatrix.Word;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Parity is byte for byte that of Jerasure 2.0. The vectors are what Jerasure computed from the
 * data of {@link #dataByte}; they are named by k, m, w, packet size and matrix.
 */
class JerasureCompatibilityTest {
  @ParameterizedTest
  @CsvSource({
    "10, 4, FOUR_BITS,  8",
    "10, 4, EIGHT_BITS, 8",
    "6,  3, EIGHT_BITS, 8",
    "6,  3, EIGHT_BITS, 1024"
  })
  void crsGoodIsCauchyGood(int dataUnits, int parityUnits, Word word, int packet) {
    LinearCode code = CauchyBitMatrix.good(new StripeShape(dataUnits, parityUnits), word);
    assertThat(parity(code, packet)).isDeepEqualTo(vectors(code, packet, "good"));
  }

  @ParameterizedTest
  @CsvSource({"10, 4, EIGHT_BITS, 8"})
  void crsOriginalIsCauchyOriginal(int dataUnits, int parityUnits, Word word, int packet) {
    LinearCode code = CauchyBitMatrix.original(new StripeShape(dataUnits, parityUnits), word);
    assertThat(parity(code, packet)).isDeepEqualTo(vectors(code, packet, "orig"));
  }

  @ParameterizedTest
  @CsvSource({"10, 4", "6, 3"})
  void rsVandermondeIsReedSolVan(int dataUnits, int parityUnits) {
    LinearCode code = ReedSolomon.vandermonde(dataUnits, parityUnits);
    assertThat(parity(code, 0)).isDeepEqualTo(vectors(code, 0, "van"));
  }

  @Test
  void rsVandermondeHasTheElementsOfReedSolVan() {
    assertThat(ReedSolomon.vandermonde(10, 4).generator().parity())
        .isEqualTo(
            CodingMatrix.of(
                10,
                new int[] {1, 1, 1, 1, 1, 1, 1, 1, 1, 1},
                new int[] {1, 147, 138, 73, 93, 161, 103, 58, 99, 178},
                new int[] {1, 103, 156, 151, 123, 187, 166, 175, 244, 83},
                new int[] {1, 220, 166, 123, 82, 143, 245, 40, 167, 122}));
    assertThat(ReedSolomon.vandermonde(6, 3).generator().parity())
        .isEqualTo(
            CodingMatrix.of(
                6,
                new int[] {1, 1, 1, 1, 1, 1},
                new int[] {1, 225, 151, 172, 82, 200},
                new int[] {1, 123, 245, 143, 244, 142}));
  }

  /**
   * Of 1 KiB, or of 8 KiB where a row is as long; row by row, a chunk being a packet.
   *
   * @param packet 0 for codes whose symbols are bytes, which Jerasure does not cut into packets
   */
  private static byte[][] parity(LinearCode code, int packet) {
    int length = Math.max(1024, packet * code.subUnits());
    int row = packet == 0 ? length : packet * code.subUnits();
    byte[][] parity = new byte[code.shape().parityUnits()][length];
    for (int offset = 0; offset < length; offset += row) {
      ByteBuffer[] inputs = new ByteBuffer[code.shape().dataUnits()];
      for (int unit = 0; unit < inputs.length; unit++) {
        inputs[unit] = ByteBuffer.allocate(row);
        for (int i = 0; i < row; i++) {
          inputs[unit].put(i, dataByte(unit, offset + i));
        }
      }
      int from = offset;
      ByteBuffer[] outputs =
          Arrays.stream(parity)
              .map(unit -> ByteBuffer.wrap(unit, from, row))
              .toArray(ByteBuffer[]::new);
      new LinearCodec(code).encode(inputs, outputs);
    }
    return parity;
  }

  private static byte dataByte(int unit, int index) {
    return (byte) (unit * 131 + index * 7 + (index >> 8) * 13 + 1);
  }

  private static byte[][] vectors(LinearCode code, int packet, String matrix) {
    byte[][] vectors = new byte[code.shape().parityUnits()][];
    for (int i = 0; i < vectors.length; i++) {
      String name =
          "/vectors/gold_%d_%d_%d_%d_%s_%d.bin"
              .formatted(
                  code.shape().dataUnits(),
                  code.shape().parityUnits(),
                  packet == 0 ? 8 : code.subUnits(),
                  packet,
                  matrix,
                  i);
      try (InputStream vector = JerasureCompatibilityTest.class.getResourceAsStream(name)) {
        vectors[i] = vector.readAllBytes();
      } catch (IOException e) {
        throw new UncheckedIOException(name, e);
      }
    }
    return vectors;
  }
}
