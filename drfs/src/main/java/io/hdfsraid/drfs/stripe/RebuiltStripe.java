package io.hdfsraid.drfs.stripe;

import io.hdfsraid.erasurecode.UnitSet;
import java.util.Map;

/**
 * The outcome of a rebuild. The bytes are in the sinks and nothing is proven yet: see {@link
 * #contradicted}.
 *
 * @param crcs CRC32C of each rebuilt unit
 */
public record RebuiltStripe(Map<Integer, Integer> crcs, HelperReads reads) {
  public RebuiltStripe {
    crcs = Map.copyOf(crcs);
  }

  /**
   * Rebuilt units whose CRC is not the one recorded at encoding: not to be delivered, for some
   * helper has other bytes than it had then.
   */
  public UnitSet contradicted(LocatedStripe stripe) {
    return UnitSet.of(
        crcs.entrySet().stream()
            .filter(rebuilt -> stripe.unit(rebuilt.getKey()).crc() != rebuilt.getValue())
            .mapToInt(Map.Entry::getKey));
  }
}
