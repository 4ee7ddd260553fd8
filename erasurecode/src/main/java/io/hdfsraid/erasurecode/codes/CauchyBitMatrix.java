// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.erasurecode.codes;

import io.hdfsraid.erasurecode.RowLayout;
import io.hdfsraid.erasurecode.StripeShape;
import io.hdfsraid.erasurecode.algebra.CodingMatrix;
import io.hdfsraid.erasurecode.codes.LinearCode.EncodingStep;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * {@code crs-original-k-m} and {@code crs-good-k-m}: Cauchy Reed-Solomon codes over GF(2^w),
 * written out as matrices of bits, so that parity is made by XOR alone. Blömer et al., "An
 * XOR-Based Erasure-Resilient Coding Scheme", ICSI TR-95-048, 1995; the good matrices are those of
 * Plank and Xu, "Optimizing Cauchy Reed-Solomon Codes for Fault-Tolerant Network Storage
 * Applications", NCA 2006, which have fewer ones. Parity is byte for byte that of Jerasure 2.0
 * ({@code cauchy_original_coding_matrix}, {@code cauchy_good_general_coding_matrix}) with a packet
 * of one chunk.
 *
 * <p>α = w: chunk x of a row holds bit x of every symbol, so a symbol is one bit of each of the w
 * chunks. An element e of the matrix becomes w × w bits, bit (l, x) being bit l of e·2^x: chunk l
 * of the parity is the XOR of those chunks x of the data where it is 1. MDS like the Cauchy matrix
 * it comes from.
 *
 * <p>w is 4 where k + m ≤ 16, else 8: the fewer bits, the fewer ones. Rows are 1 MiB like those of
 * codes that are not sub-packetised; as every repair reads whole rows, longer chunks would only
 * take more memory.
 */
final class CauchyBitMatrix {
  private static final String ORIGINAL = "Blömer et al., ICSI TR-95-048, 1995";
  private static final String GOOD = "Plank and Xu, Optimizing Cauchy Reed-Solomon Codes, NCA 2006";

  private CauchyBitMatrix() {}

  static LinearCode original(int dataUnits, int parityUnits) {
    StripeShape shape = new StripeShape(dataUnits, parityUnits);
    return original(shape, Word.smallestFor(shape));
  }

  static LinearCode good(int dataUnits, int parityUnits) {
    StripeShape shape = new StripeShape(dataUnits, parityUnits);
    return good(shape, Word.smallestFor(shape));
  }

  static LinearCode original(StripeShape shape, Word word) {
    return code("crs-original-%d-%d", ORIGINAL, shape, word, cauchy(shape, word));
  }

  static LinearCode good(StripeShape shape, Word word) {
    int[][] elements = shape.parityUnits() == 2 ? fewestOnes(shape, word) : improved(shape, word);
    return code("crs-good-%d-%d", GOOD, shape, word, elements);
  }

  /** Row i, column j: 1 / (i XOR (m + j)). */
  private static int[][] cauchy(StripeShape shape, Word word) {
    if (shape.units() > word.size()) {
      throw new IllegalArgumentException(
          "A Cauchy matrix over words of %d bits has k + m <= %d, but got k=%d, m=%d"
              .formatted(word.bits, word.size(), shape.dataUnits(), shape.parityUnits()));
    }
    int[][] rows = new int[shape.parityUnits()][shape.dataUnits()];
    for (int i = 0; i < rows.length; i++) {
      for (int j = 0; j < rows[i].length; j++) {
        rows[i][j] = word.inverse(i ^ (shape.parityUnits() + j));
      }
    }
    return rows;
  }

  /**
   * For any m but 2: every column is divided by its first element, so that row 0 is all ones, and
   * every other row by that one of its elements which leaves it the fewest ones (the first such; by
   * none, if none leaves fewer). Neither makes a square submatrix singular.
   */
  private static int[][] improved(StripeShape shape, Word word) {
    int[][] rows = cauchy(shape, word);
    for (int j = 0; j < shape.dataUnits(); j++) {
      int divisor = word.inverse(rows[0][j]);
      for (int[] row : rows) {
        row[j] = word.multiply(row[j], divisor);
      }
    }
    for (int i = 1; i < rows.length; i++) {
      int[] row = rows[i];
      rows[i] =
          // Dividing by 1 changes nothing; it comes first, so that a tie leaves the row as it is.
          IntStream.concat(IntStream.of(1), Arrays.stream(row))
              .mapToObj(divisor -> word.multiply(row, word.inverse(divisor)))
              .min(Comparator.comparingInt(word::ones))
              .orElseThrow();
    }
    return rows;
  }

  /**
   * For m = 2: a row of ones, and a row of the k elements with the fewest ones, in ascending order
   * of their ones and at the same number of the elements themselves. That is the order of
   * Jerasure's precomputed lists for w = 4 and w = 8, from the first element to the last. MDS, as
   * the elements are distinct and not 0.
   */
  private static int[][] fewestOnes(StripeShape shape, Word word) {
    int[] ones = new int[shape.dataUnits()];
    Arrays.fill(ones, 1);
    int[] elements =
        IntStream.range(1, word.size())
            .boxed()
            .sorted(Comparator.comparingInt(word::ones))
            .limit(shape.dataUnits())
            .mapToInt(Integer::intValue)
            .toArray();
    return new int[][] {ones, elements};
  }

  private static LinearCode code(
      String name, String source, StripeShape shape, Word word, int[][] elements) {
    return new LinearCode(
        name.formatted(shape.dataUnits(), shape.parityUnits()),
        source,
        shape,
        new RowLayout(word.bits, RowLayout.DEFAULT_CHUNK / word.bits),
        List.of(EncodingStep.atOnce(bitMatrix(elements, word))),
        List.of(),
        true);
  }

  private static CodingMatrix bitMatrix(int[][] elements, Word word) {
    int columns = elements[0].length;
    int[][] bits = new int[elements.length * word.bits][columns * word.bits];
    for (int i = 0; i < elements.length; i++) {
      for (int column = 0; column < columns * word.bits; column++) {
        int product = word.multiply(elements[i][column / word.bits], 1 << column % word.bits);
        for (int l = 0; l < word.bits; l++) {
          bits[i * word.bits + l][column] = product >> l & 1;
        }
      }
    }
    return CodingMatrix.of(columns * word.bits, bits);
  }

  /** The symbols a code counts in: elements of GF(2^w), with the polynomials of Jerasure. */
  enum Word {
    FOUR_BITS(4, 0x13),
    EIGHT_BITS(8, 0x11D);

    private final int bits;
    private final int polynomial;

    Word(int bits, int polynomial) {
      this.bits = bits;
      this.polynomial = polynomial;
    }

    static Word smallestFor(StripeShape shape) {
      return shape.units() <= FOUR_BITS.size() ? FOUR_BITS : EIGHT_BITS;
    }

    private int size() {
      return 1 << bits;
    }

    private int multiply(int a, int b) {
      int product = 0;
      int multiple = a;
      for (int rest = b; rest != 0; rest >>= 1) {
        product ^= (rest & 1) * multiple;
        multiple = twice(multiple);
      }
      return product;
    }

    private int twice(int a) {
      return (a << 1) ^ ((a >> (bits - 1)) * polynomial);
    }

    private int[] multiply(int[] row, int factor) {
      return Arrays.stream(row).map(element -> multiply(element, factor)).toArray();
    }

    /** Of an element that is not 0: its power 2^w - 2. */
    private int inverse(int a) {
      int power = 1;
      for (int i = 0; i < size() - 2; i++) {
        power = multiply(power, a);
      }
      return power;
    }

    /** Ones in the bits that the element is written out as. */
    private int ones(int element) {
      int ones = 0;
      int column = element;
      for (int x = 0; x < bits; x++) {
        ones += Integer.bitCount(column);
        column = twice(column);
      }
      return ones;
    }

    private int ones(int[] row) {
      return Arrays.stream(row).map(this::ones).sum();
    }
  }
}
