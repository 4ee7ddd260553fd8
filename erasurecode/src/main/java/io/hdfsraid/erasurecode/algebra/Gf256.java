// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.erasurecode.algebra;

/**
 * Arithmetic in GF(2^8) with the polynomial x^8 + x^4 + x^3 + x^2 + 1 (0x11D) and the generator 2:
 * the field of Hadoop's RawErasureCoder, ISA-L, Jerasure (w = 8) and the Xorbas code. Elements are
 * ints 0 to 255; addition is XOR.
 */
public final class Gf256 {
  public static final int SIZE = 256;

  private static final int POLYNOMIAL = 0x11D;
  private static final int ORDER = SIZE - 1;

  // Holds the cycle twice, so that log a + log b needs no modulo.
  private static final int[] EXP = new int[2 * ORDER];
  private static final int[] LOG = new int[SIZE];
  private static final byte[][] PRODUCTS = new byte[SIZE][SIZE];

  static {
    int power = 1;
    for (int exponent = 0; exponent < ORDER; exponent++) {
      EXP[exponent] = power;
      EXP[exponent + ORDER] = power;
      LOG[power] = exponent;
      power <<= 1;
      if (power >= SIZE) {
        power ^= POLYNOMIAL;
      }
    }
    for (int a = 1; a < SIZE; a++) {
      for (int b = 1; b < SIZE; b++) {
        PRODUCTS[a][b] = (byte) EXP[LOG[a] + LOG[b]];
      }
    }
  }

  private Gf256() {}

  public static int multiply(int a, int b) {
    return PRODUCTS[a][b] & 0xFF;
  }

  /** The products of {@code a} with 0 to 255; shared, not to be changed. */
  public static byte[] products(int a) {
    return PRODUCTS[a];
  }

  public static int inverse(int a) {
    if (a == 0) {
      throw new ArithmeticException("0 has no inverse");
    }
    return EXP[ORDER - LOG[a]];
  }

  /** {@code a} to the power of {@code exponent} (at least 0); 0 to the power of 0 is 1. */
  public static int power(int a, int exponent) {
    if (exponent == 0) {
      return 1;
    }
    return a == 0 ? 0 : EXP[(int) ((long) LOG[a] * exponent % ORDER)];
  }

  /** {@code target += factor * row}, element by element. */
  public static void addMultiple(int[] target, int factor, int[] row) {
    if (factor == 0) {
      return;
    }
    byte[] products = PRODUCTS[factor];
    for (int i = 0; i < row.length; i++) {
      target[i] ^= products[row[i]] & 0xFF;
    }
  }

  /** {@code row *= factor}, element by element. */
  public static void scale(int[] row, int factor) {
    byte[] products = PRODUCTS[factor];
    for (int i = 0; i < row.length; i++) {
      row[i] = products[row[i]] & 0xFF;
    }
  }
}
