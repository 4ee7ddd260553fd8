// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.stripe;

import io.hdfsraid.erasurecode.UnitSet;
import java.util.Map;

/**
 * The result of a rebuild. The bytes are in the sinks but not verified yet: see {@link
 * #contradicted}.
 *
 * @param crcs CRC32C of each rebuilt unit
 */
public record RebuiltStripe(Map<Integer, Integer> crcs, HelperReads reads) {
  public RebuiltStripe {
    crcs = Map.copyOf(crcs);
  }

  /**
   * Returns the rebuilt units whose CRC differs from the one recorded at encoding. They must not be
   * delivered: some helper holds other bytes than at encoding.
   */
  public UnitSet contradicted(LocatedStripe stripe) {
    return UnitSet.of(
        crcs.entrySet().stream()
            .filter(rebuilt -> stripe.unit(rebuilt.getKey()).crc() != rebuilt.getValue())
            .mapToInt(Map.Entry::getKey));
  }
}
