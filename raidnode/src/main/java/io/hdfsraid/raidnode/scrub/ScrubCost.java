// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.scrub;

import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import io.hdfsraid.drfs.stripe.StripeUnit;
import io.hdfsraid.drfs.stripe.UnitState;
import java.util.List;

/**
 * The cost of a scrub. Every live replica of every unit is read or asked for.
 *
 * @param replicas to read or to ask for
 * @param bytes that a deep scrub reads
 */
public record ScrubCost(long replicas, long bytes) {
  public static ScrubCost of(List<LocatedStripe> stripes) {
    long replicas = 0;
    long bytes = 0;
    for (LocatedStripe stripe : stripes) {
      for (StripeUnit unit : stripe.units()) {
        replicas += live(unit);
        bytes += live(unit) * unit.length();
      }
    }
    return new ScrubCost(replicas, bytes);
  }

  private static long live(StripeUnit unit) {
    return unit.located()
        .filter(located -> unit.state() == UnitState.LIVE)
        .map(LocatedBlock::live)
        .map(List::size)
        .orElse(0);
  }
}
