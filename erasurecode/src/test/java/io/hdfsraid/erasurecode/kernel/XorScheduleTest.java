// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.erasurecode.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.erasurecode.algebra.CodingMatrix;
import io.hdfsraid.erasurecode.algebra.Gf256;
import org.junit.jupiter.api.Test;

class XorScheduleTest {
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
