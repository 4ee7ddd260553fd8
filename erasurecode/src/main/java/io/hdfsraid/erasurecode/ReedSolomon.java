package io.hdfsraid.erasurecode;

import java.util.List;
import java.util.stream.IntStream;

/**
 * {@code rs-k-m}: systematic Reed-Solomon from a Cauchy matrix, parity coefficient of row i and
 * data unit j = 1 / ((k + i) XOR j), as in Blömer et al., "An XOR-Based Erasure-Resilient Coding
 * Scheme", ICSI TR-95-048, 1995. Parity is byte for byte that of Hadoop's RSRawEncoder and of
 * ISA-L's gf_gen_cauchy1_matrix. MDS, as every square submatrix of a Cauchy matrix is regular.
 */
final class ReedSolomon {
  private ReedSolomon() {}

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
