// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.erasurecode.codes;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.erasurecode.UnitSet;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import org.apache.hadoop.io.erasurecode.ErasureCoderOptions;
import org.apache.hadoop.io.erasurecode.rawcoder.RSRawDecoder;
import org.apache.hadoop.io.erasurecode.rawcoder.RSRawEncoder;
import org.apache.hadoop.io.erasurecode.rawcoder.RawErasureDecoder;
import org.apache.hadoop.io.erasurecode.rawcoder.RawErasureEncoder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What {@code rs-k-m} writes, Hadoop's own coder can read, and the other way round. */
class HadoopCompatibilityTest {
  private static final int LENGTH = 1001;

  @ParameterizedTest
  @CsvSource({"3, 2", "6, 3", "10, 4"})
  void parityIsByteForByteThatOfRSRawEncoder(int dataUnits, int parityUnits) throws IOException {
    byte[][] units = encodeWithOurs(dataUnits, parityUnits);
    byte[][] parity = new byte[parityUnits][LENGTH];
    RawErasureEncoder encoder = new RSRawEncoder(options(dataUnits, parityUnits));
    encoder.encode(Arrays.copyOf(units, dataUnits), parity);
    assertThat(Arrays.copyOfRange(units, dataUnits, units.length)).isDeepEqualTo(parity);
  }

  @ParameterizedTest
  @CsvSource({"3, 2", "6, 3", "10, 4"})
  void rsRawDecoderRebuildsEveryLossFromOurParity(int dataUnits, int parityUnits) {
    byte[][] units = encodeWithOurs(dataUnits, parityUnits);
    RawErasureDecoder decoder = new RSRawDecoder(options(dataUnits, parityUnits));
    Patterns.upToSize(parityUnits, units.length)
        .forEach(
            lost -> {
              byte[][] inputs = units.clone();
              lost.stream().forEach(unit -> inputs[unit] = null);
              byte[][] outputs = new byte[lost.size()][LENGTH];
              decode(decoder, inputs, lost, outputs);
              assertThat(outputs)
                  .as("lost %s", lost)
                  .isDeepEqualTo(
                      lost.stream().mapToObj(unit -> units[unit]).toArray(byte[][]::new));
            });
  }

  private static void decode(
      RawErasureDecoder decoder, byte[][] inputs, UnitSet lost, byte[][] outputs) {
    try {
      decoder.decode(inputs, lost.toArray(), outputs);
    } catch (IOException e) {
      throw new AssertionError("lost " + lost, e);
    }
  }

  private static byte[][] encodeWithOurs(int dataUnits, int parityUnits) {
    byte[][] units = new byte[dataUnits + parityUnits][LENGTH];
    Random random = new Random(dataUnits);
    for (int unit = 0; unit < dataUnits; unit++) {
      random.nextBytes(units[unit]);
    }
    ByteBuffer[] buffers = Arrays.stream(units).map(ByteBuffer::wrap).toArray(ByteBuffer[]::new);
    Codecs.parse("rs-%d-%d".formatted(dataUnits, parityUnits))
        .encode(
            Arrays.copyOf(buffers, dataUnits),
            Arrays.copyOfRange(buffers, dataUnits, buffers.length));
    return units;
  }

  private static ErasureCoderOptions options(int dataUnits, int parityUnits) {
    return new ErasureCoderOptions(dataUnits, parityUnits, false, false);
  }
}
