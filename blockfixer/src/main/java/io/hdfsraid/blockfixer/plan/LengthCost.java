package io.hdfsraid.blockfixer.plan;

import io.hdfsraid.drfs.stripe.LocatedStripe;
import io.hdfsraid.erasurecode.ReadCost;

/**
 * Prices a unit by the bytes it has: a ragged tail is cheap to read, an absent unit nearly free.
 */
record LengthCost(LocatedStripe stripe) implements ReadCost {
  private static final double NEARLY_FREE = 1e-6; // a cost must be positive

  @Override
  public double perByte(int unit) {
    return NEARLY_FREE + (double) stripe.unit(unit).length() / Math.max(1, stripe.stripeLength());
  }
}
