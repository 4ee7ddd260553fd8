// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.erasurecode.codes;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.erasurecode.Consistency.Verdict;
import io.hdfsraid.erasurecode.ErasureCodec;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Rows so long that encoding goes through them piece by piece. */
class LongRowTest {
  private static final int CHUNK = 40_001;

  static List<ErasureCodec> codecs() {
    return Codecs.all();
  }

  @ParameterizedTest
  @MethodSource("codecs")
  void aLongRowIsACodewordToItsLastByte(ErasureCodec codec) {
    Random random = new Random(4711);
    ByteBuffer[] units = new ByteBuffer[codec.shape().units()];
    for (int unit = 0; unit < units.length; unit++) {
      byte[] content = new byte[CHUNK * codec.subUnits()];
      random.nextBytes(content);
      units[unit] = ByteBuffer.wrap(content);
    }
    int dataUnits = codec.shape().dataUnits();
    codec.encode(
        Arrays.copyOf(units, dataUnits), Arrays.copyOfRange(units, dataUnits, units.length));
    assertThat(codec.verify(units).verdict()).isEqualTo(Verdict.CODEWORD);
  }
}
