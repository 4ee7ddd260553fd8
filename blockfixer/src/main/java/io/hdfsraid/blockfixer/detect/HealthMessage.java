// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.blockfixer.detect;

import io.hdfsraid.drfs.stripe.LocatedStripe;
import io.hdfsraid.erasurecode.UnitSet;

/** Describes the health of a stripe in a sentence with numbers. */
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
            : "; the nodes of units %s do not answer, and their return would help"
                .formatted(unreachable);
    return switch (health.state()) {
      case HEALTHY ->
          "%s has all %d units and tolerates any %s"
              .formatted(stripe, units, count(health.furtherLosses(), ""));
      case DEGRADED ->
          "%s; units %s determine them, and the stripe tolerates any %s"
              .formatted(losses, stripe.available(), count(health.furtherLosses(), "further "));
      case UNRECOVERABLE ->
          "%s; the %d units left, %s, do not determine them (its code tolerates any %s, but not these)%s"
              .formatted(
                  losses,
                  stripe.available().size(),
                  stripe.available(),
                  count(stripe.codec().furtherLosses(UnitSet.none()), ""),
                  mayReturn);
      case UNKNOWN ->
          "%s since they were encoded, so the parity does not cover their present content: they are neither read nor written%s"
              .formatted(losses, mayReturn);
    };
  }

  private static String count(int losses, String which) {
    return "%d %s%s".formatted(losses, which, losses == 1 ? "loss" : "losses");
  }
}
