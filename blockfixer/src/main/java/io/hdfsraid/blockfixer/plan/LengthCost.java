// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.blockfixer.plan;

import io.hdfsraid.drfs.stripe.LocatedStripe;
import io.hdfsraid.erasurecode.ReadCost;

/**
 * A read cost proportional to the length of a unit, so that a short unit is preferred to a full
 * block.
 */
public record LengthCost(LocatedStripe stripe) implements ReadCost {
  @Override
  public double perByte(int unit) {
    return (1.0 + stripe.unit(unit).length()) / (1.0 + stripe.stripeLength());
  }
}
