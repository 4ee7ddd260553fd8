package io.hdfsraid.erasurecode;

import java.util.Arrays;
import java.util.List;

/**
 * What defines a systematic linear code. Everywhere in this package a chunk of a row is numbered
 * {@code unit * α + subUnit}.
 *
 * @param source the publication the code is from
 * @param parity (m·α) × (k·α): the parity chunks as sums over the data chunks
 * @param checks sets of chunks within which losses are rebuilt cheaply; empty when there are none.
 *     If the code is not MDS, the smallest of them is the lightest parity check of the whole code:
 *     no unit can be rebuilt from fewer
 * @param mds whether any m units may be lost: a promise of who defines the code, which spares
 *     counting patterns
 */
record LinearCode(
    String name,
    String source,
    StripeShape shape,
    int subUnits,
    CodingMatrix parity,
    List<LocalCheck> checks,
    boolean mds) {

  LinearCode {
    checks = List.copyOf(checks);
    if (parity.rows() != shape.parityUnits() * subUnits
        || parity.columns() != shape.dataUnits() * subUnits) {
      throw new IllegalArgumentException(
          "%s needs %d x %d coefficients, but has %d x %d"
              .formatted(
                  name,
                  shape.parityUnits() * subUnits,
                  shape.dataUnits() * subUnits,
                  parity.rows(),
                  parity.columns()));
    }
  }

  int chunks() {
    return shape.units() * subUnits;
  }

  int dataChunks() {
    return shape.dataUnits() * subUnits;
  }

  /** The given chunk as weights of the k·α data chunks: a row of the generator matrix. */
  int[] generatorRow(int chunk) {
    if (chunk >= dataChunks()) {
      return parity.row(chunk - dataChunks());
    }
    int[] row = new int[dataChunks()];
    row[chunk] = 1;
    return row;
  }

  /**
   * The given chunk's column of the parity-check matrix (parity matrix | identity): chunks are
   * determined by the others exactly when their columns are independent.
   */
  int[] checkColumn(int chunk) {
    int[] column = new int[parity.rows()];
    if (chunk >= dataChunks()) {
      column[chunk - dataChunks()] = 1;
    } else {
      Arrays.setAll(column, row -> parity.get(row, chunk));
    }
    return column;
  }

  /**
   * Chunks which hold a small code of their own: any {@code redundancy} of them can be rebuilt from
   * the others. A local group of an LRC has redundancy 1.
   */
  record LocalCheck(List<Integer> chunks, int redundancy) {
    LocalCheck {
      chunks = List.copyOf(chunks);
      if (redundancy < 1 || redundancy >= chunks.size()) {
        throw new IllegalArgumentException(
            "%d of %d chunks cannot be redundant".formatted(redundancy, chunks.size()));
      }
    }
  }
}
