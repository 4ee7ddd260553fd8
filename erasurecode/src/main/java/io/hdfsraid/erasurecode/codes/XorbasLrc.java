// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.erasurecode.codes;

import io.hdfsraid.erasurecode.StripeShape;
import io.hdfsraid.erasurecode.algebra.CodingMatrix;
import io.hdfsraid.erasurecode.algebra.Gf256;
import io.hdfsraid.erasurecode.codes.LinearCode.LocalCheck;
import java.util.List;

/**
 * {@code lrc-xorbas-10-6}: Sathiamoorthy et al., "XORing Elephants: Novel Erasure Codes for Big
 * Data", PVLDB 6(5), 2013, in the grouping of the paper (the code released with it groups
 * otherwise). Units 0..9 are the data X1..X10, 10..13 the Reed-Solomon parities P1..P4, 14 is S1 =
 * X1 + .. + X5 and 15 is S2 = X6 + .. + X10.
 *
 * <p>The inner RS(10,4) has the generator polynomial (x - 1)(x - a)(x - a²)(x - a³) with parity at
 * the low powers, as in HDFS-RAID. Its root 1 makes the sum of all its symbols 0, hence P1 + .. +
 * P4 + S1 + S2 = 0: a third local group without a unit of its own.
 */
final class XorbasLrc {
  private static final int DATA = 10;
  private static final int REED_SOLOMON_PARITIES = 4;
  private static final int GENERATOR = 2;

  private XorbasLrc() {}

  static LinearCode code() {
    int[][] rows = new int[REED_SOLOMON_PARITIES + 2][DATA];
    CodingMatrix parities = reedSolomonParities();
    for (int i = 0; i < REED_SOLOMON_PARITIES; i++) {
      rows[i] = parities.row(i);
    }
    for (int j = 0; j < DATA; j++) {
      rows[REED_SOLOMON_PARITIES + j / 5][j] = 1;
    }
    return LinearCode.of(
        "lrc-xorbas-10-6",
        "Sathiamoorthy et al., XORing Elephants, PVLDB 6(5), 2013",
        new StripeShape(DATA, rows.length),
        CodingMatrix.of(DATA, rows),
        List.of(
            new LocalCheck(List.of(0, 1, 2, 3, 4, 14), 1),
            new LocalCheck(List.of(5, 6, 7, 8, 9, 15), 1),
            new LocalCheck(List.of(10, 11, 12, 13, 14, 15), 1)),
        false);
  }

  /** Solves for the parities: sum over symbols s of a^(i·s) · symbol s = 0 for i = 0..3. */
  private static CodingMatrix reedSolomonParities() {
    return powers(0, REED_SOLOMON_PARITIES)
        .inverse()
        .orElseThrow()
        .times(powers(REED_SOLOMON_PARITIES, DATA));
  }

  private static CodingMatrix powers(int firstSymbol, int symbols) {
    int[][] rows = new int[REED_SOLOMON_PARITIES][symbols];
    for (int i = 0; i < rows.length; i++) {
      for (int s = 0; s < symbols; s++) {
        rows[i][s] = Gf256.power(GENERATOR, i * (firstSymbol + s));
      }
    }
    return CodingMatrix.of(symbols, rows);
  }
}
