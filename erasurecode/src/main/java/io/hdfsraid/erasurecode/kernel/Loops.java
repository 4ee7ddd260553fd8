// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.erasurecode.kernel;

import java.util.Arrays;

/**
 * The loops that the JIT compiler must turn into vector instructions: one array for each operand
 * (with offsets into one array it does not), no calls, and up to four sources in one pass, as each
 * pass costs a load and a store of the sum (with more it stops at loops of longs, by their size).
 */
final class Loops {
  private static final int FUSED = 4;
  private static final long LOW_BITS = 0x7F7F_7F7F_7F7F_7F7FL;
  private static final long HIGH_BITS = 0x8080_8080_8080_8080L;
  private static final long POLYNOMIAL = 0x1D1D_1D1D_1D1D_1D1DL;

  private Loops() {}

  /** sum = the given lanes; zeros when there are none. */
  static void sum(long[] sum, int[] sources, long[][] lanes, int count) {
    switch (Math.min(FUSED, sources.length)) {
      case 0 -> Arrays.fill(sum, 0, count, 0);
      case 1 -> System.arraycopy(lanes[sources[0]], 0, sum, 0, count);
      case 2 -> set(sum, lanes[sources[0]], lanes[sources[1]], count);
      case 3 -> set(sum, lanes[sources[0]], lanes[sources[1]], lanes[sources[2]], count);
      default ->
          set(
              sum,
              lanes[sources[0]],
              lanes[sources[1]],
              lanes[sources[2]],
              lanes[sources[3]],
              count);
    }
    addFrom(FUSED, sum, sources, lanes, count);
  }

  /** sum = 2 * sum + the given lanes, byte by byte over GF(2^8). */
  static void twicePlus(long[] sum, int[] sources, long[][] lanes, int count) {
    switch (Math.min(FUSED, sources.length)) {
      case 0 -> twice(sum, count);
      case 1 -> twiceAdd(sum, lanes[sources[0]], count);
      case 2 -> twiceAdd(sum, lanes[sources[0]], lanes[sources[1]], count);
      case 3 -> twiceAdd(sum, lanes[sources[0]], lanes[sources[1]], lanes[sources[2]], count);
      default ->
          twiceAdd(
              sum,
              lanes[sources[0]],
              lanes[sources[1]],
              lanes[sources[2]],
              lanes[sources[3]],
              count);
    }
    addFrom(FUSED, sum, sources, lanes, count);
  }

  /** sum += the lanes of sources[from], sources[from + 1], ... */
  private static void addFrom(int from, long[] sum, int[] sources, long[][] lanes, int count) {
    int i = from;
    for (; i + FUSED <= sources.length; i += FUSED) {
      add(
          sum,
          lanes[sources[i]],
          lanes[sources[i + 1]],
          lanes[sources[i + 2]],
          lanes[sources[i + 3]],
          count);
    }
    switch (sources.length - i) {
      case 3 -> add(sum, lanes[sources[i]], lanes[sources[i + 1]], lanes[sources[i + 2]], count);
      case 2 -> add(sum, lanes[sources[i]], lanes[sources[i + 1]], count);
      case 1 -> add(sum, lanes[sources[i]], count);
      default -> {}
    }
  }

  static void add(long[] sum, long[] a, int count) {
    for (int i = 0; i < count; i++) {
      sum[i] ^= a[i];
    }
  }

  /** All sums of two or three of a, b and c, in one pass over them. */
  static void sumsOfThree(
      long[] a, long[] b, long[] c, long[] ab, long[] ac, long[] bc, long[] abc, int count) {
    for (int i = 0; i < count; i++) {
      long x = a[i];
      long y = b[i];
      long z = c[i];
      ab[i] = x ^ y;
      ac[i] = x ^ z;
      bc[i] = y ^ z;
      abc[i] = x ^ y ^ z;
    }
  }

  /** Each of the eight bytes of {@code v} times 2: shift, and reduce where the high bit was set. */
  private static long twice(long v) {
    long high = v & HIGH_BITS;
    return ((v & LOW_BITS) << 1) ^ ((high - (high >>> 7)) & POLYNOMIAL);
  }

  private static void twice(long[] sum, int count) {
    for (int i = 0; i < count; i++) {
      sum[i] = twice(sum[i]);
    }
  }

  private static void twiceAdd(long[] sum, long[] a, int count) {
    for (int i = 0; i < count; i++) {
      sum[i] = twice(sum[i]) ^ a[i];
    }
  }

  private static void twiceAdd(long[] sum, long[] a, long[] b, int count) {
    for (int i = 0; i < count; i++) {
      sum[i] = twice(sum[i]) ^ a[i] ^ b[i];
    }
  }

  private static void twiceAdd(long[] sum, long[] a, long[] b, long[] c, int count) {
    for (int i = 0; i < count; i++) {
      sum[i] = twice(sum[i]) ^ a[i] ^ b[i] ^ c[i];
    }
  }

  private static void twiceAdd(long[] sum, long[] a, long[] b, long[] c, long[] d, int count) {
    for (int i = 0; i < count; i++) {
      sum[i] = twice(sum[i]) ^ a[i] ^ b[i] ^ c[i] ^ d[i];
    }
  }

  private static void set(long[] sum, long[] a, long[] b, int count) {
    for (int i = 0; i < count; i++) {
      sum[i] = a[i] ^ b[i];
    }
  }

  private static void set(long[] sum, long[] a, long[] b, long[] c, int count) {
    for (int i = 0; i < count; i++) {
      sum[i] = a[i] ^ b[i] ^ c[i];
    }
  }

  private static void set(long[] sum, long[] a, long[] b, long[] c, long[] d, int count) {
    for (int i = 0; i < count; i++) {
      sum[i] = a[i] ^ b[i] ^ c[i] ^ d[i];
    }
  }

  private static void add(long[] sum, long[] a, long[] b, int count) {
    for (int i = 0; i < count; i++) {
      sum[i] ^= a[i] ^ b[i];
    }
  }

  private static void add(long[] sum, long[] a, long[] b, long[] c, int count) {
    for (int i = 0; i < count; i++) {
      sum[i] ^= a[i] ^ b[i] ^ c[i];
    }
  }

  private static void add(long[] sum, long[] a, long[] b, long[] c, long[] d, int count) {
    for (int i = 0; i < count; i++) {
      sum[i] ^= a[i] ^ b[i] ^ c[i] ^ d[i];
    }
  }
}
