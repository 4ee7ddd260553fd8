// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.erasurecode.codes;

import io.hdfsraid.erasurecode.StripeShape;
import io.hdfsraid.erasurecode.algebra.CodingMatrix;
import io.hdfsraid.erasurecode.algebra.Gf256;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Reed-Solomon codes, written as matrices.
 *
 * <p>{@code rs-k-m}: systematic Reed-Solomon from a Cauchy matrix, parity coefficient of row i and
 * data unit j = 1 / ((k + i) XOR j), as in Blömer et al., "An XOR-Based Erasure-Resilient Coding
 * Scheme", ICSI TR-95-048, 1995. Parity is byte for byte that of Hadoop's RSRawEncoder and of
 * ISA-L's gf_gen_cauchy1_matrix. MDS, as every square submatrix of a Cauchy matrix is regular.
 */
final class ReedSolomon {
  private ReedSolomon() {}

  /** {@code rs-k-m}. */
  static LinearCode code(int dataUnits, int parityUnits) {
    StripeShape shape = new StripeShape(dataUnits, parityUnits);
    int[][] rows = new int[parityUnits][dataUnits];
    for (int i = 0; i < parityUnits; i++) {
      for (int j = 0; j < dataUnits; j++) {
        rows[i][j] = Gf256.inverse((dataUnits + i) ^ j);
      }
    }
    return LinearCode.of(
        "rs-%d-%d".formatted(dataUnits, parityUnits),
        "Blömer et al., ICSI TR-95-048, 1995",
        shape,
        CodingMatrix.of(dataUnits, rows),
        List.of(),
        true);
  }

  /**
   * {@code rs-vandermonde-k-m}: systematic Reed-Solomon from a Vandermonde matrix, byte for byte
   * {@code reed_sol_van} of Jerasure 2.0 with w = 8; Plank and Ding, "Note: Correction to the 1997
   * Tutorial on Reed-Solomon Coding", 2005. The k + m rows are the powers of the points 0, 1, 2 ..
   * and, as the last one, of infinity; any k of them are independent. They are multiplied by the
   * inverse of the first k, then the columns and after them the rows of the parity are divided so
   * that its first row and first column are all ones. Neither makes the code less than MDS.
   */
  static LinearCode vandermonde(int dataUnits, int parityUnits) {
    StripeShape shape = new StripeShape(dataUnits, parityUnits);
    int[][] points = new int[shape.units()][dataUnits];
    for (int i = 0; i < points.length - 1; i++) {
      for (int j = 0; j < dataUnits; j++) {
        points[i][j] = Gf256.power(i, j);
      }
    }
    points[points.length - 1][dataUnits - 1] = 1;
    CodingMatrix data = CodingMatrix.of(dataUnits, Arrays.copyOf(points, dataUnits));
    CodingMatrix parity =
        CodingMatrix.of(dataUnits, Arrays.copyOfRange(points, dataUnits, points.length))
            .times(data.inverse().orElseThrow());
    return LinearCode.of(
        "rs-vandermonde-%d-%d".formatted(dataUnits, parityUnits),
        "Plank and Ding, Correction to the Tutorial on Reed-Solomon Coding, 2005",
        shape,
        withOnes(parity),
        List.of(),
        true);
  }

  /** Columns divided by the first row, then rows by the first column. */
  private static CodingMatrix withOnes(CodingMatrix matrix) {
    int[][] rows = new int[matrix.rows()][matrix.columns()];
    for (int i = 0; i < rows.length; i++) {
      for (int j = 0; j < rows[i].length; j++) {
        rows[i][j] = Gf256.multiply(matrix.get(i, j), Gf256.inverse(matrix.get(0, j)));
      }
      Gf256.scale(rows[i], Gf256.inverse(rows[i][0]));
    }
    return CodingMatrix.of(matrix.columns(), rows);
  }

  /** {@code xor-k-1}: one parity unit, the sum of all data units. */
  static LinearCode xor(int dataUnits) {
    return LinearCode.of(
        "xor-%d-1".formatted(dataUnits),
        "Patterson, Gibson and Katz, RAID, SIGMOD 1988",
        new StripeShape(dataUnits, 1),
        CodingMatrix.of(dataUnits, IntStream.range(0, dataUnits).map(j -> 1).toArray()),
        List.of(),
        true);
  }
}
