// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.erasurecode;

import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * A systematic linear erasure code over GF(2^8): k data units become m parity units, and some sets
 * of lost units can be rebuilt from the others.
 *
 * <p>Units are cut into <em>rows</em> of α chunks (α = {@link #subUnits()}, see {@link RowLayout});
 * the code works on one row at a time, and byte <i>i</i> of every chunk of a row depends only on
 * byte <i>i</i> of the other chunks of the same row. For codes that are not sub-packetised α is 1
 * and a row is one chunk.
 *
 * <p>Implementations are immutable and safe for concurrent use.
 */
public interface ErasureCodec {

  /**
   * The name under which {@code Codecs.parse} finds this codec, e.g. {@code rs-10-4}; to be
   * recorded with every stripe.
   */
  String name();

  StripeShape shape();

  /** The publication this code is from, as a table shows it. */
  default String source() {
    return "unpublished";
  }

  /** α: into how many chunks a row of a unit is cut; 1 for codes that are not sub-packetised. */
  default int subUnits() {
    return layout().subUnits();
  }

  /**
   * The rows to write with this codec; to be recorded with every stripe, as any other layout of α
   * chunks is possible and can be read.
   */
  RowLayout layout();

  /**
   * Length of every parity unit of a stripe whose longest data unit has the given length: that
   * length rounded up to the codec's granule. The only place that knows.
   *
   * @throws IllegalArgumentException when {@code longest} is negative
   */
  long parityLength(long longest);

  /**
   * Computes the parity of one row.
   *
   * @param data k buffers with the same number of bytes remaining, a multiple of α: the α chunks of
   *     the row one after another; absent data is zeros. Positions are left as they were.
   * @param parity m buffers with as many bytes remaining; overwritten from position to limit,
   *     positions left as they were
   */
  void encode(ByteBuffer[] data, ByteBuffer[] parity);

  /**
   * Whether the units of one row fit together, and if not, which of them can be the wrong one.
   *
   * @param units k + m buffers as for {@link #encode}, data first; null for a unit that is not
   *     there
   */
  Consistency verify(ByteBuffer[] units);

  /**
   * The cheapest way to rebuild the lost units, all of them at once, decided by rank over the
   * generator matrix and never by counting losses. Exact for codes with α = 1; for others the
   * cheapest of what was tried, which beats the decoding of k whole units wherever the publication
   * does, and for several losses elsewhere, too. (Repairs of bit-matrix codes read k whole units;
   * Khan et al., "Rethinking Erasure Codes for Cloud File Systems", FAST 2012, save some of it at
   * the price of many short reads.)
   *
   * @param available the units that may be read; disjoint from {@code lost}
   * @return empty when the available units do not determine the lost ones
   */
  Optional<RebuildRecipe> recipe(UnitSet lost, UnitSet available, ReadCost cost);

  /**
   * Returns how many further losses, wherever they fall, a stripe that has lost these units is
   * certain to tolerate; -1 if the remaining units do not determine the lost ones. The number is
   * exact, by rank over all patterns, and cached.
   */
  int furtherLosses(UnitSet lost);
}
