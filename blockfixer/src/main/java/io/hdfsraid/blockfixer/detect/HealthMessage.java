package io.hdfsraid.blockfixer.detect;

import io.hdfsraid.drfs.stripe.LocatedStripe;
import io.hdfsraid.erasurecode.UnitSet;

/** The arithmetic of a stripe's health in words. */
final class HealthMessage {
  private HealthMessage() {}

  static String of(StripeHealth health) {
    LocatedStripe stripe = health.stripe();
    UnitSet lost = health.lost();
    UnitSet changed = stripe.changed();
    int units = stripe.codec().shape().units();
    String losses =
        "%s lost %d of %d units, %s".formatted(stripe, lost.size(), units, lost)
            + (changed.isEmpty() ? "" : ", and units %s changed".formatted(changed));
    UnitSet unreachable = health.unreachable();
    String mayReturn =
        unreachable.isEmpty()
            ? ""
            : "; of units %s only the nodes do not answer, bringing these back helps"
                .formatted(unreachable);
    return switch (health.state()) {
      case HEALTHY ->
          "%s has all %d units and bears any %d losses"
              .formatted(stripe, units, health.furtherLosses());
      case DEGRADED ->
          "%s; units %s determine them, and it bears any %d further losses"
              .formatted(losses, stripe.available(), health.furtherLosses());
      case UNRECOVERABLE ->
          "%s; the %d units left, %s, do not determine them (its code bears any %d losses, but not these)%s"
              .formatted(
                  losses,
                  stripe.available().size(),
                  stripe.available(),
                  stripe.codec().furtherLosses(UnitSet.none()),
                  mayReturn);
      case UNKNOWN ->
          "%s since they were encoded, so that its parity does not cover what they hold now: nothing is read from or written to them%s"
              .formatted(losses, mayReturn);
    };
  }
}
