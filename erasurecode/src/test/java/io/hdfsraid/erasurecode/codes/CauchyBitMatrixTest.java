// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.erasurecode.codes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsraid.erasurecode.ReadCost;
import io.hdfsraid.erasurecode.StripeShape;
import io.hdfsraid.erasurecode.UnitSet;
import io.hdfsraid.erasurecode.algebra.CodingMatrix;
import io.hdfsraid.erasurecode.codes.CauchyBitMatrix.Word;
import io.hdfsraid.erasurecode.kernel.XorCount;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CauchyBitMatrixTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "10 | 4 | EIGHT_BITS | 71 167 122 186 173 157 221 152 61 170, 167 71 186 122 157 173 152"
            + " 221 170 61, 122 186 71 167 221 152 173 157 93 150, 186 122 167 71 152 221 157 173"
            + " 150 93",
        "6 | 3 | EIGHT_BITS | 244 71 167 122 186 173, 142 167 71 186 122 157, 1 122 186 71 167 221",
      })
  void originalElementsAreThoseOfJerasure(int k, int m, Word word, String rows) {
    assertThat(elements(CauchyBitMatrix.original(new StripeShape(k, m), word)))
        .isEqualTo(matrix(rows));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "10 | 4 | EIGHT_BITS | 1 1 1 1 1 1 1 1 1 1, 151 172 1 225 166 158 44 13 226 54,"
            + " 82 143 200 190 151 213 172 220 1 56, 1 172 123 158 195 31 143 227 82 34",
        "6  | 3 | EIGHT_BITS | 1 1 1 1 1 1, 200 151 172 1 225 166, 202 143 114 101 200 1",
        "3  | 2 | EIGHT_BITS | 1 1 1, 1 2 142",
        "10 | 4 | FOUR_BITS  | 1 1 1 1 1 1 1 1 1 1, 8 1 3 9 13 6 14 11 4 2,"
            + " 8 3 10 5 1 13 15 9 2 11, 8 9 5 3 11 2 12 1 6 13",
        "6  | 3 | FOUR_BITS  | 1 1 1 1 1 1, 9 6 4 12 2 1, 1 5 10 9 13 6",
        // Row 4 has as few ones undivided as divided: it is left as it is.
        "10 | 5 | FOUR_BITS  | 1 1 1 1 1 1 1 1 1 1, 1 3 9 13 6 14 11 4 2 5, 7 1 9 12 3 8 6 11 13 4,"
            + " 11 2 15 1 10 9 5 13 12 4, 5 3 12 15 2 13 7 8 9 4",
        "5  | 1 | FOUR_BITS  | 1 1 1 1 1",
      })
  void goodElementsAreThoseOfJerasure(int k, int m, Word word, String rows) {
    assertThat(elements(CauchyBitMatrix.good(new StripeShape(k, m), word))).isEqualTo(matrix(rows));
  }

  /** The counts of Jerasure's own bit matrices. */
  @ParameterizedTest
  @CsvSource({
    "10, 4, EIGHT_BITS, 1288, 888",
    "10, 4, FOUR_BITS,  360,  268",
    "6,  3, EIGHT_BITS, 542,  362",
    "6,  3, FOUR_BITS,  162,  109",
    "12, 4, EIGHT_BITS, 1588, 1087",
    "3,  2, EIGHT_BITS, 160,  54"
  })
  void theBitsHaveAsManyOnesAsThoseOfJerasure(int k, int m, Word word, int original, int good) {
    StripeShape shape = new StripeShape(k, m);
    assertThat(ones(CauchyBitMatrix.original(shape, word))).isEqualTo(original);
    assertThat(ones(CauchyBitMatrix.good(shape, word))).isEqualTo(good);
  }

  @Test
  void withTwoParityUnitsOfFourBitsTheElementsComeInTheOrderOfJerasuresList() {
    assertThat(elements(CauchyBitMatrix.good(new StripeShape(14, 2), Word.FOUR_BITS)).row(1))
        .containsExactly(1, 2, 9, 4, 8, 13, 3, 6, 12, 5, 11, 15, 10, 14);
  }

  /** SHA-256 of the first 254 of the 255 elements of Jerasure 2.0's {@code cbest_8}. */
  @Test
  void withTwoParityUnitsOfEightBitsTheElementsComeInTheOrderOfJerasuresList()
      throws NoSuchAlgorithmException {
    int[] row = elements(CauchyBitMatrix.good(254, 2)).row(1);
    assertThat(row).startsWith(1, 2, 142, 4, 71, 8, 70, 173, 3, 35, 143);
    ByteBuffer list = ByteBuffer.allocate(row.length);
    Arrays.stream(row).forEach(element -> list.put((byte) element));
    assertThat(HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(list.array())))
        .isEqualTo("c6e00634fcd07b42c36f671797e524eb9d03b73571d2b79d66ed5cfec1c06eb6");
  }

  @Test
  void theSmallestWordThatHasElementsForAllUnitsIsUsed() {
    assertThat(Codecs.parse("crs-good-12-4").subUnits()).isEqualTo(4);
    assertThat(Codecs.parse("crs-good-13-4").subUnits()).isEqualTo(8);
    assertThat(Codecs.parse("crs-original-12-4").subUnits()).isEqualTo(4);
    assertThat(Codecs.parse("crs-original-13-4").subUnits()).isEqualTo(8);
    assertThat(Codecs.parse("crs-good-10-4").layout().rowBytes()).isEqualTo(1 << 20);
    assertThat(Codecs.parse("crs-good-13-4").layout().rowBytes()).isEqualTo(1 << 20);
    assertThatThrownBy(() -> CauchyBitMatrix.original(new StripeShape(13, 4), Word.FOUR_BITS))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("A Cauchy matrix over words of 4 bits has k + m <= 16, but got k=13, m=4");
  }

  @Test
  void everyRepairIsByXorAlone() {
    LinearCode code = CauchyBitMatrix.good(6, 3);
    for (UnitSet lost : Patterns.upToSize(3, 9).toList()) {
      List<Integer> chunks =
          IntStream.range(0, 36).filter(c -> lost.contains(c / 4)).boxed().toList();
      RecipePlanner.cheapest(code, chunks, UnitSet.range(0, 9).minus(lost), ReadCost.UNIFORM)
          .orElseThrow()
          .forEach(
              (chunk, weights) ->
                  assertThat(CodingMatrix.of(weights.length, weights).isBinary())
                      .as("lost %s, chunk %d", lost, chunk)
                      .isTrue());
    }
  }

  private static int ones(LinearCode code) {
    CodingMatrix parity = code.generator().parity();
    assertThat(parity.isBinary()).isTrue();
    int ones = 0;
    for (int r = 0; r < parity.rows(); r++) {
      ones += Arrays.stream(parity.row(r)).sum();
    }
    return ones;
  }

  /** An element times 2^0 is the first column of its bits, the lowest bit first. */
  private static CodingMatrix elements(LinearCode code) {
    int bits = code.subUnits();
    int[][] elements = new int[code.shape().parityUnits()][code.shape().dataUnits()];
    for (int i = 0; i < elements.length; i++) {
      for (int j = 0; j < elements[i].length; j++) {
        for (int l = 0; l < bits; l++) {
          elements[i][j] |= code.generator().parity().get(i * bits + l, j * bits) << l;
        }
      }
    }
    return CodingMatrix.of(code.shape().dataUnits(), elements);
  }

  private static CodingMatrix matrix(String rows) {
    int[][] elements =
        Arrays.stream(rows.split(","))
            .map(row -> Arrays.stream(row.strip().split(" ")).mapToInt(Integer::parseInt).toArray())
            .toArray(int[][]::new);
    return CodingMatrix.of(elements[0].length, elements);
  }

  /** The counts of {@code jerasure_smart_bitmatrix_to_schedule} for its own matrices. */
  @ParameterizedTest
  @CsvSource({
    "10, 4, EIGHT_BITS, 989,  779",
    "10, 4, FOUR_BITS,  263,  219",
    "6,  3, EIGHT_BITS, 371,  283",
    "6,  3, FOUR_BITS,  111,  79",
    "12, 4, EIGHT_BITS, 1231, 944",
    "3,  2, EIGHT_BITS, 93,   38"
  })
  void cauchyCodesTakeAsManyXorsAsTheSmartSchedulesOfJerasure(
      int k, int m, Word word, int original, int good) {
    StripeShape shape = new StripeShape(k, m);
    assertThat(xors(CauchyBitMatrix.original(shape, word))).isEqualTo(original);
    assertThat(xors(CauchyBitMatrix.good(shape, word))).isEqualTo(good);
  }

  private static int xors(LinearCode code) {
    return XorCount.of(code.steps().get(0).weights());
  }
}
