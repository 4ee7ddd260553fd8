// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.erasurecode.algebra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CodingMatrixTest {
  @Test
  void aMatrixTimesItsInverseIsTheIdentity() {
    Random random = new Random(7);
    for (int size = 0; size <= 16; size++) {
      CodingMatrix matrix = RandomMatrix.of(size, size, random);
      while (matrix.rank() < size) {
        matrix = RandomMatrix.of(size, size, random);
      }
      CodingMatrix inverse = matrix.inverse().orElseThrow();
      assertThat(matrix.times(inverse)).isEqualTo(CodingMatrix.identity(size));
      assertThat(inverse.times(matrix)).isEqualTo(CodingMatrix.identity(size));
    }
  }

  @Test
  void aSingularMatrixHasNoInverse() {
    int[] row = {1, 2, 3};
    CodingMatrix singular = CodingMatrix.of(3, row, new int[] {2, 4, 6}, new int[] {0, 0, 1});
    assertThat(singular.rank()).isEqualTo(2);
    assertThat(singular.inverse()).isEqualTo(Optional.empty());
  }

  @Test
  void onlySquareMatricesAreInverted() {
    assertThatThrownBy(() -> CodingMatrix.of(3, new int[3]).inverse())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("1 rows and 3 columns");
  }

  @Test
  void elementsAndShapeAreChecked() {
    assertThatThrownBy(() -> CodingMatrix.of(2, new int[] {1, 256}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("256 is no element of GF(256)");
    assertThatThrownBy(() -> CodingMatrix.of(2, new int[] {1}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Row 0 has 1 elements, but the matrix 2 columns");
    assertThatThrownBy(() -> CodingMatrix.identity(2).times(CodingMatrix.identity(3)))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
