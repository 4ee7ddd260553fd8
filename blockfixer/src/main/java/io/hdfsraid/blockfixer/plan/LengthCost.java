package io.hdfsraid.blockfixer.plan;

import io.hdfsraid.drfs.stripe.LocatedStripe;
import io.hdfsraid.erasurecode.ReadCost;

/** Prices a unit by the bytes it has, so that a ragged tail is read rather than a full block. */
public record LengthCost(LocatedStripe stripe) implements ReadCost {
  @Override
  public double perByte(int unit) {
    return (1.0 + stripe.unit(unit).length()) / (1.0 + stripe.stripeLength());
  }
}
