// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.blockfixer.plan;

import io.hdfsraid.blockfixer.detect.StripeHealth;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import io.hdfsraid.erasurecode.RebuildRecipe;
import io.hdfsraid.erasurecode.UnitSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A plan to repair all losses of a stripe in one pass, or as many as possible. A plan is a value
 * that becomes outdated, so it is made anew before each attempt.
 *
 * @param health the health of the stripe when the plan was made
 * @param recipe the units to read and how to combine them
 * @param deliveries one for each unit that is rebuilt, in ascending order
 * @param undetermined lost units that the remaining units do not determine
 * @param unplaced lost units for which no node has room
 * @param bytesToRead bytes to read from the helpers
 * @param bytesToWrite bytes to write to the targets
 */
public record RepairPlan(
    StripeHealth health,
    RebuildRecipe recipe,
    List<PlannedDelivery> deliveries,
    UnitSet undetermined,
    UnitSet unplaced,
    long bytesToRead,
    long bytesToWrite)
    implements RepairDecision {
  public RepairPlan {
    Objects.requireNonNull(health, "health");
    Objects.requireNonNull(recipe, "recipe");
    deliveries = List.copyOf(deliveries);
    Objects.requireNonNull(undetermined, "undetermined");
    Objects.requireNonNull(unplaced, "unplaced");
  }

  @Override
  public LocatedStripe stripe() {
    return health.stripe();
  }

  public UnitSet lost() {
    return recipe.lost();
  }

  /** Whether the stripe is not whole afterwards, because some lost units are not rebuilt. */
  public boolean partial() {
    return !undetermined.isEmpty() || !unplaced.isEmpty();
  }

  /** Whether some unit has to be placed in a crowded place. */
  public boolean crowded() {
    return deliveries.stream().anyMatch(PlannedDelivery::crowded);
  }

  @Override
  public Optional<RepairPlan> plan() {
    return Optional.of(this);
  }

  @Override
  public String message() {
    return "Rebuild units %s of %s from units %s: read %d bytes, write %d bytes to %s%s"
        .formatted(
            lost(),
            stripe(),
            recipe.helpers(),
            bytesToRead,
            bytesToWrite,
            deliveries.stream().map(PlannedDelivery::target).toList(),
            leftOut());
  }

  private String leftOut() {
    String all = "";
    if (!undetermined.isEmpty()) {
      all += "; units %s cannot be rebuilt from what is left".formatted(undetermined);
    }
    if (!unplaced.isEmpty()) {
      all += "; no DataNode has room for units %s".formatted(unplaced);
    }
    return all;
  }
}
