// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.erasurecode;

/**
 * The number of data and parity units of a stripe. Units are numbered data first: {@code 0..k-1}
 * data, {@code k..k+m-1} parity. All code uses this numbering.
 */
public record StripeShape(int dataUnits, int parityUnits) {
  /** A symbol of GF(2^8) has 256 values, so no code here has more units. */
  public static final int MAX_UNITS = 256;

  public StripeShape {
    if (dataUnits < 1 || parityUnits < 1 || dataUnits > MAX_UNITS - parityUnits) {
      throw new IllegalArgumentException(
          "A stripe needs k >= 1, m >= 1 and k + m <= %d, but got k=%d, m=%d"
              .formatted(MAX_UNITS, dataUnits, parityUnits));
    }
  }

  public int units() {
    return dataUnits + parityUnits;
  }

  public boolean isParity(int unit) {
    return unit >= dataUnits;
  }

  /** Bytes stored per byte of data when every unit is full, e.g. 1.4 for (10,4). */
  public double overhead() {
    return (double) units() / dataUnits;
  }
}
