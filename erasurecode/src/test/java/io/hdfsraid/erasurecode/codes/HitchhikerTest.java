// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.erasurecode.codes;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.erasurecode.ErasureCodec;
import io.hdfsraid.erasurecode.ReadCost;
import io.hdfsraid.erasurecode.UnitSet;
import io.hdfsraid.erasurecode.algebra.CodingMatrix;
import io.hdfsraid.erasurecode.algebra.Gf256;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HitchhikerTest {
  /** By rank of the columns of the parity-check matrix, pattern by pattern. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "hitchhiker-10-4",
        "hitchhiker-12-4",
        "hitchhiker-6-3",
        "hitchhiker-10-2",
        "hitchhiker-3-2",
        "hitchhiker-1-2",
        "hitchhiker-2-5",
        "hitchhiker-5-5"
      })
  void anyMUnitsMayBeLost(String name) {
    LinearCode code = ((LinearCodec) Codecs.parse(name)).code();
    CodingMatrix checks = code.generator().checks();
    for (UnitSet lost : Patterns.ofSize(code.shape().parityUnits(), code.shape().units())) {
      int[] columns = IntStream.range(0, code.chunks()).filter(c -> lost.contains(c / 2)).toArray();
      assertThat(checks.pickColumns(columns).rank()).as("lost %s", lost).isEqualTo(columns.length);
    }
  }

  /** Chunks, two to a block: 6.5 blocks for every data unit of (10,4), 103/14 for any unit. */
  @ParameterizedTest
  @CsvSource({
    "hitchhiker-10-4, 13 13 13 13 13 13 13 13 13 13, 20 16 20 20",
    "hitchhiker-6-3,  8 8 8 8 9 9,                   12 11 12",
    "hitchhiker-12-4, 16 16 16 16 15 15 15 15 15 15 16 16, 24 20 24 24",
    "hitchhiker-10-2, 15 15 15 15 15 15 15 15 15 15, 20 20",
    "hitchhiker-4-2,  6 6 6 6, 8 8"
  })
  void aSingleLossReadsAsFewChunksAsThePiggybacksAllow(String name, String data, String parity) {
    ErasureCodec codec = Codecs.parse(name);
    UnitSet all = UnitSet.all(codec.shape());
    List<Integer> chunks =
        all.stream()
            .mapToObj(
                unit ->
                    codec
                        .recipe(UnitSet.of(unit), all.without(unit), ReadCost.UNIFORM)
                        .orElseThrow()
                        .reads()
                        .size())
            .toList();
    assertThat(chunks)
        .isEqualTo(Arrays.stream((data + " " + parity).split(" ")).map(Integer::valueOf).toList());
  }

  /** f_i of some data are the parities of rs-k-m of data divided by row 1 of its Cauchy matrix. */
  @Test
  void parityUnitsHoldReedSolomonParitiesOfBothChunksAndTheSumsOfThreeSets() {
    Random random = new Random(12);
    ByteBuffer[] data = new ByteBuffer[10];
    ByteBuffer[] parity = new ByteBuffer[4];
    Arrays.setAll(data, unit -> ByteBuffer.allocate(2));
    Arrays.setAll(parity, i -> ByteBuffer.allocate(2));
    for (int round = 0; round < 100; round++) {
      Arrays.stream(data).forEach(unit -> unit.putShort(0, (short) random.nextInt()));
      Codecs.parse("hitchhiker-10-4").encode(data, parity);
      int[] ofA = sums(data, 0);
      int[] ofB = sums(data, 1);
      int[] p = {
        0,
        chunk(data[0], 0) ^ chunk(data[1], 0) ^ chunk(data[2], 0),
        chunk(data[3], 0) ^ chunk(data[4], 0) ^ chunk(data[5], 0),
        chunk(data[6], 0) ^ chunk(data[7], 0) ^ chunk(data[8], 0)
      };
      for (int i = 0; i < 4; i++) {
        int second = ofB[i] ^ p[i];
        assertThat(chunk(parity[i], 1)).as("second of %d", i).isEqualTo(second);
        assertThat(chunk(parity[i], 0))
            .as("first of %d", i)
            .isEqualTo(ofA[i] ^ (i == 1 ? second : 0));
      }
      assertThat(ofA[1])
          .isEqualTo(
              Arrays.stream(data).mapToInt(unit -> chunk(unit, 0)).reduce(0, (x, y) -> x ^ y));
    }
  }

  private static int[] sums(ByteBuffer[] data, int chunk) {
    ByteBuffer[] scaled = new ByteBuffer[10];
    Arrays.setAll(
        scaled,
        unit ->
            ByteBuffer.wrap(
                new byte[] {(byte) Gf256.multiply(chunk(data[unit], chunk), 11 ^ unit)}));
    ByteBuffer[] sums = new ByteBuffer[4];
    Arrays.setAll(sums, i -> ByteBuffer.allocate(1));
    Codecs.parse("rs-10-4").encode(scaled, sums);
    return Arrays.stream(sums).mapToInt(sum -> chunk(sum, 0)).toArray();
  }

  private static int chunk(ByteBuffer unit, int index) {
    return unit.get(index) & 0xFF;
  }
}
