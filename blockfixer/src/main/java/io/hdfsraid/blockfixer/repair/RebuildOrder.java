// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.blockfixer.repair;

import io.hdfsraid.blockfixer.plan.PlannedDelivery;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import io.hdfsraid.erasurecode.RebuildRecipe;
import java.util.List;

/**
 * The units of one stripe that are rebuilt together.
 *
 * @param recipe the units to read and how to combine them
 * @param deliveries one for each unit that the recipe rebuilds
 */
public record RebuildOrder(
    LocatedStripe stripe, RebuildRecipe recipe, List<PlannedDelivery> deliveries) {
  public RebuildOrder {
    deliveries = List.copyOf(deliveries);
  }
}
