package io.hdfsraid.erasurecode;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.erasurecode.CauchyBitMatrix.Word;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
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

  /** 1 KiB of parity, or 8 KiB of long packets: row by row, a chunk being a packet. */
  private static byte[][] parity(LinearCode code, int packet) {
    int length = packet == 1024 ? 8192 : 1024;
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
