// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.erasurecode;

import java.util.Objects;

/**
 * The position of the chunks in a unit. A unit is cut into rows of α·c bytes; chunk <i>j</i> of a
 * row is its <i>j</i>-th c bytes. In the last row c = ⌈rest/α⌉. Row boundaries follow from the
 * stripe's parity length (a multiple of α), so all units of a stripe share them; a shorter data
 * unit reads as zeros beyond its end.
 *
 * @param subUnits α, at least 1
 * @param chunk c in bytes, at least 1; to be recorded with the stripe
 */
public record RowLayout(int subUnits, int chunk) {
  /** c of most codecs here, see {@link ErasureCodec#layout}: 1 MiB. */
  public static final int DEFAULT_CHUNK = 1 << 20;

  public RowLayout {
    if (subUnits < 1 || chunk < 1 || (long) subUnits * chunk > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(
          "A row needs 1 or more sub-units of 1 or more bytes and less than 2 GiB in all, but got %d sub-units of %d bytes"
              .formatted(subUnits, chunk));
    }
  }

  /** Bytes of a full row of one unit: α·c. */
  public int rowBytes() {
    return subUnits * chunk;
  }

  /**
   * Full rows, and one more if something is left.
   *
   * @param stripeLength as {@link ErasureCodec#parityLength} says
   */
  public long rows(long stripeLength) {
    if (stripeLength < 0) {
      throw new IllegalArgumentException("A stripe cannot have %d bytes".formatted(stripeLength));
    }
    return stripeLength / rowBytes() + (stripeLength % rowBytes() == 0 ? 0 : 1);
  }

  /** The length of each chunk of the given row: c, or less in the last row. */
  public int chunkLength(long row, long stripeLength) {
    Objects.checkIndex(row, rows(stripeLength));
    long rest = stripeLength - row * rowBytes();
    return rest >= rowBytes() ? chunk : (int) ((rest + subUnits - 1) / subUnits);
  }

  /** Offset in the unit of the given chunk of the given row. */
  public long offset(long row, int subUnit, long stripeLength) {
    Objects.checkIndex(subUnit, subUnits);
    return row * rowBytes() + (long) subUnit * chunkLength(row, stripeLength);
  }
}
