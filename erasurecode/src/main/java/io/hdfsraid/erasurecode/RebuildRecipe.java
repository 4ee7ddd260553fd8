// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.erasurecode;

import java.nio.ByteBuffer;
import java.util.List;

/**
 * A list of the chunks to read, row by row, and the weights that combine them into the lost units.
 * A recipe touches no data until {@link #rebuild} is called. Immutable and safe for concurrent use.
 */
public interface RebuildRecipe {

  /** The units this recipe rebuilds. */
  UnitSet lost();

  /** The units it reads from, whole or in part. */
  UnitSet helpers();

  /**
   * What to read of each row, in ascending order of unit and sub-unit; the inputs of {@link
   * #rebuild} in order.
   */
  List<Chunk> reads();

  /**
   * Returns the bytes that this recipe reads from a helper whose unit of {@code length} bytes is
   * laid out by {@code layout}. It is never more than the unit holds: the zeros beyond its end are
   * not read.
   *
   * @param stripeLength the parity length of the stripe, which fixes its rows
   */
  long bytesRead(int unit, long length, long stripeLength, RowLayout layout);

  /**
   * Rebuilds a slice of one row: the same byte range of every chunk.
   *
   * @param inputs one buffer for each of {@link #reads()}, all with the same number of bytes
   *     remaining; positions are left as they were
   * @param outputs α buffers for each lost unit in ascending order (sub-unit 0 first), with as many
   *     bytes remaining; overwritten, positions left as they were
   */
  void rebuild(ByteBuffer[] inputs, ByteBuffer[] outputs);

  /**
   * The part of this recipe that rebuilds only the given chunks: reads what those chunks need and
   * no more. For partial (degraded) reads. The result's {@link #rebuild} has one output for each
   * wanted chunk, in ascending order.
   */
  RebuildRecipe only(List<Chunk> wanted);

  /** Sub-unit {@code subUnit} (0..α-1) of each row of unit {@code unit}. */
  record Chunk(int unit, int subUnit) implements Comparable<Chunk> {
    @Override
    public int compareTo(Chunk other) {
      int byUnit = Integer.compare(unit, other.unit);
      return byUnit != 0 ? byUnit : Integer.compare(subUnit, other.subUnit);
    }
  }
}
