// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.erasurecode.codes;

import io.hdfsraid.erasurecode.algebra.CodingMatrix;
import io.hdfsraid.erasurecode.algebra.Gf256;
import io.hdfsraid.erasurecode.codes.LinearCode.EncodingStep;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/**
 * The generator matrix and the parity-check matrix of a {@link LinearCode}, composed from its
 * encoding steps.
 */
final class Generator {
  private final int dataChunks;
  private final CodingMatrix parity;

  private Generator(int dataChunks, CodingMatrix parity) {
    this.dataChunks = dataChunks;
    this.parity = parity;
  }

  /**
   * Composes the steps.
   *
   * @throws IllegalArgumentException when a step needs a chunk that no step before it has computed,
   *     or the steps do not compute every parity chunk once
   */
  static Generator of(LinearCode code) {
    Map<Integer, int[]> rows = new TreeMap<>();
    for (EncodingStep step : code.steps()) {
      for (int r = 0; r < step.outputs().size(); r++) {
        int[] sum = new int[code.dataChunks()];
        for (int c = 0; c < step.inputs().size(); c++) {
          addMultiple(sum, step.weights().get(r, c), step.inputs().get(c), rows, code);
        }
        if (rows.put(step.outputs().get(r), sum) != null) {
          throw new IllegalArgumentException(
              "%s computes chunk %d twice".formatted(code.name(), step.outputs().get(r)));
        }
      }
    }
    int parityChunks = code.chunks() - code.dataChunks();
    if (rows.size() != parityChunks
        || rows.keySet().stream().anyMatch(c -> c < code.dataChunks() || c >= code.chunks())) {
      throw new IllegalArgumentException(
          "%s has parity chunks %d to %d, but its steps compute %s"
              .formatted(code.name(), code.dataChunks(), code.chunks() - 1, rows.keySet()));
    }
    return new Generator(
        code.dataChunks(), CodingMatrix.of(code.dataChunks(), rows.values().toArray(int[][]::new)));
  }

  private static void addMultiple(
      int[] sum, int weight, int input, Map<Integer, int[]> rows, LinearCode code) {
    if (input < code.dataChunks()) {
      sum[input] ^= weight;
      return;
    }
    int[] row = rows.get(input);
    if (row == null) {
      throw new IllegalArgumentException(
          "%s uses chunk %d before it is computed".formatted(code.name(), input));
    }
    Gf256.addMultiple(sum, weight, row);
  }

  /** (m·α) × (k·α): the parity chunks as sums over the data chunks. */
  CodingMatrix parity() {
    return parity;
  }

  /** The given chunk as weights of the k·α data chunks. */
  int[] row(int chunk) {
    if (chunk >= dataChunks) {
      return parity.row(chunk - dataChunks);
    }
    int[] row = new int[dataChunks];
    row[chunk] = 1;
    return row;
  }

  /** The parity-check matrix (parity matrix | identity): its product with a codeword is 0. */
  CodingMatrix checks() {
    int[][] rows = new int[parity.rows()][];
    for (int r = 0; r < rows.length; r++) {
      rows[r] = Arrays.copyOf(parity.row(r), dataChunks + parity.rows());
      rows[r][dataChunks + r] = 1;
    }
    return CodingMatrix.of(dataChunks + parity.rows(), rows);
  }

  /**
   * The given chunk's column of the parity-check matrix (parity matrix | identity): chunks are
   * determined by the others exactly when their columns are independent.
   */
  int[] checkColumn(int chunk) {
    int[] column = new int[parity.rows()];
    if (chunk >= dataChunks) {
      column[chunk - dataChunks] = 1;
    } else {
      Arrays.setAll(column, row -> parity.get(row, chunk));
    }
    return column;
  }
}
