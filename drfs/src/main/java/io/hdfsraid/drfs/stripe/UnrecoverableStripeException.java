package io.hdfsraid.drfs.stripe;

import io.hdfsraid.erasurecode.UnitSet;
import java.io.IOException;

/**
 * Thrown when the readable units do not determine the wanted unit. Trying again helps only after a
 * unit has come back.
 */
public final class UnrecoverableStripeException extends IOException {
  private static final long serialVersionUID = 1L;

  /**
   * @param wanted the unit that was to be rebuilt
   * @param available the units that can be read, absent ones included
   */
  public UnrecoverableStripeException(LocatedStripe stripe, int wanted, UnitSet available) {
    super(message(stripe, wanted, available));
  }

  private static String message(LocatedStripe stripe, int wanted, UnitSet available) {
    UnitSet unreadable = UnitSet.all(stripe.codec().shape()).minus(available);
    UnitSet changed = stripe.changed();
    return "Unit %d of %s cannot be rebuilt: units %s cannot be read (%d of %d)%s, units %s can be read; its code tolerates any %d losses, but not these"
        .formatted(
            wanted,
            stripe,
            unreadable,
            unreadable.size(),
            stripe.codec().shape().units(),
            changed.isEmpty() ? "" : ", of which %s changed after encoding".formatted(changed),
            available,
            stripe.codec().furtherLosses(UnitSet.none()));
  }
}
