package io.hdfsraid.erasurecode;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.erasurecode.CauchyBitMatrix.Word;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class XorScheduleTest {
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
    return XorSchedule.of(code.steps().get(0).weights()).xors();
  }

  /** {@code reed_sol_vandermonde_coding_matrix(10, 4, 8)} of Jerasure, written out as bits. */
  @Test
  void aVandermondeCodeTakesAsManyXorsAsInJerasure() {
    int[][] elements = {
      {1, 1, 1, 1, 1, 1, 1, 1, 1, 1},
      {1, 147, 138, 73, 93, 161, 103, 58, 99, 178},
      {1, 103, 156, 151, 123, 187, 166, 175, 244, 83},
      {1, 220, 166, 123, 82, 143, 245, 40, 167, 122}
    };
    int[][] bits = new int[32][80];
    for (int row = 0; row < 32; row++) {
      for (int column = 0; column < 80; column++) {
        int product = Gf256.multiply(elements[row / 8][column / 8], 1 << column % 8);
        bits[row][column] = product >> row % 8 & 1;
      }
    }
    assertThat(XorSchedule.of(CodingMatrix.of(80, bits)).xors()).isEqualTo(734);
  }

  @Test
  void anOutputThatDiffersLittleFromAKnownOneIsComputedFromIt() {
    CodingMatrix matrix =
        CodingMatrix.of(
            6,
            new int[] {1, 1, 1, 1, 1, 1},
            new int[] {1, 1, 1, 1, 0, 0},
            new int[] {0, 0, 0, 1, 1, 0});
    // 1 for the third, 3 for the second; the first is the second and two more, instead of 5.
    assertThat(XorSchedule.of(matrix).xors()).isEqualTo(1 + 3 + 2);
  }

  @Test
  void copiesAndZerosTakeNoXors() {
    assertThat(XorSchedule.of(CodingMatrix.identity(5)).xors()).isZero();
    assertThat(XorSchedule.of(CodingMatrix.of(3, new int[3], new int[3])).xors()).isZero();
  }
}
