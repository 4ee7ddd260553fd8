// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.manifest;

import java.util.List;

/**
 * A stripe as it was encoded.
 *
 * @param data units 0 to d-1, 1 &le; d &le; k; the units from d to k-1 are absent: zeros that cost
 *     nothing
 * @param parityCrcs CRC32C of the m parity units
 */
public record Stripe(List<DataUnit> data, List<Integer> parityCrcs) {
  public Stripe {
    data = List.copyOf(data);
    parityCrcs = List.copyOf(parityCrcs);
    if (data.isEmpty() || parityCrcs.isEmpty()) {
      throw new IllegalArgumentException(
          "A stripe needs data and parity, but got %d data and %d parity units"
              .formatted(data.size(), parityCrcs.size()));
    }
  }

  /** Returns the length of the longest data unit, which determines the length of the parity. */
  public long longest() {
    return data.stream().mapToLong(unit -> unit.block().length()).max().orElseThrow();
  }
}
