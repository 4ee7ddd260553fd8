// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.erasurecode.algebra;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** An immutable matrix over GF(2^8), possibly with no rows or no columns. */
public final class CodingMatrix {
  private final int columns;
  private final int[][] rows;

  private CodingMatrix(int columns, int[][] rows) {
    this.columns = columns;
    this.rows = rows;
  }

  /**
   * Makes a matrix of these rows.
   *
   * @param rows copied; each of {@code columns} elements 0 to 255
   */
  public static CodingMatrix of(int columns, int[]... rows) {
    int[][] copy = new int[rows.length][];
    for (int r = 0; r < rows.length; r++) {
      if (rows[r].length != columns) {
        throw new IllegalArgumentException(
            "Row %d has %d elements, but the matrix %d columns"
                .formatted(r, rows[r].length, columns));
      }
      for (int element : rows[r]) {
        if (element < 0 || element >= Gf256.SIZE) {
          throw new IllegalArgumentException("%d is no element of GF(256)".formatted(element));
        }
      }
      copy[r] = rows[r].clone();
    }
    return new CodingMatrix(columns, copy);
  }

  public static CodingMatrix identity(int size) {
    int[][] rows = new int[size][size];
    for (int i = 0; i < size; i++) {
      rows[i][i] = 1;
    }
    return new CodingMatrix(size, rows);
  }

  public int rows() {
    return rows.length;
  }

  public int columns() {
    return columns;
  }

  public int get(int row, int column) {
    return rows[row][column];
  }

  /** A copy of the given row. */
  public int[] row(int row) {
    return rows[row].clone();
  }

  public CodingMatrix times(CodingMatrix right) {
    if (columns != right.rows()) {
      throw new IllegalArgumentException(
          "A matrix of %d columns cannot be multiplied by one of %d rows"
              .formatted(columns, right.rows()));
    }
    int[][] product = new int[rows.length][right.columns];
    for (int r = 0; r < rows.length; r++) {
      for (int c = 0; c < columns; c++) {
        Gf256.addMultiple(product[r], rows[r][c], right.rows[c]);
      }
    }
    return new CodingMatrix(right.columns, product);
  }

  /** The given columns, in the given order. */
  public CodingMatrix pickColumns(int... picked) {
    int[][] part = new int[rows.length][picked.length];
    for (int r = 0; r < rows.length; r++) {
      for (int c = 0; c < picked.length; c++) {
        part[r][c] = rows[r][picked[c]];
      }
    }
    return new CodingMatrix(picked.length, part);
  }

  /** Rows that are a basis of all vectors whose product with this matrix is 0. */
  public CodingMatrix leftNullSpace() {
    Span span = new Span(columns);
    List<int[]> basis = new ArrayList<>();
    List<Integer> independent = new ArrayList<>();
    for (int r = 0; r < rows.length; r++) {
      Optional<int[]> sum = span.express(rows[r]);
      if (sum.isPresent()) {
        int[] zero = new int[rows.length];
        zero[r] = 1;
        for (int i = 0; i < independent.size(); i++) {
          zero[independent.get(i)] = sum.get()[i];
        }
        basis.add(zero);
      } else {
        span.add(rows[r]);
        independent.add(r);
      }
    }
    return new CodingMatrix(rows.length, basis.toArray(int[][]::new));
  }

  public boolean isZero() {
    return Arrays.stream(rows).flatMapToInt(Arrays::stream).allMatch(element -> element == 0);
  }

  /** Whether every element is 0 or 1, so that sums are plain XORs. */
  public boolean isBinary() {
    return Arrays.stream(rows).flatMapToInt(Arrays::stream).allMatch(element -> element <= 1);
  }

  public int rank() {
    Span span = new Span(columns);
    int rank = 0;
    for (int[] row : rows) {
      rank += span.add(row) ? 1 : 0;
    }
    return rank;
  }

  /** Empty when the matrix is singular. */
  public Optional<CodingMatrix> inverse() {
    if (rows.length != columns) {
      throw new IllegalArgumentException(
          "Only a square matrix has an inverse, but this has %d rows and %d columns"
              .formatted(rows.length, columns));
    }
    Span span = new Span(columns);
    for (int[] row : rows) {
      if (!span.add(row)) {
        return Optional.empty();
      }
    }
    int[][] inverse = new int[columns][];
    for (int i = 0; i < columns; i++) {
      int[] unit = new int[columns];
      unit[i] = 1;
      inverse[i] = span.express(unit).orElseThrow();
    }
    return Optional.of(new CodingMatrix(columns, inverse));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof CodingMatrix that
        && columns == that.columns
        && Arrays.deepEquals(rows, that.rows);
  }

  @Override
  public int hashCode() {
    return Arrays.deepHashCode(rows);
  }

  @Override
  public String toString() {
    return Arrays.deepToString(rows);
  }
}
