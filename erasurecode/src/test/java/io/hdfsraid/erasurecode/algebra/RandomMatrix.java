// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.erasurecode.algebra;

import java.util.Random;

/** Matrices for tests. */
public final class RandomMatrix {
  private RandomMatrix() {}

  public static CodingMatrix of(int rows, int columns, Random random) {
    int[][] elements = new int[rows][columns];
    for (int[] row : elements) {
      for (int c = 0; c < columns; c++) {
        row[c] = random.nextInt(256);
      }
    }
    return CodingMatrix.of(columns, elements);
  }
}
