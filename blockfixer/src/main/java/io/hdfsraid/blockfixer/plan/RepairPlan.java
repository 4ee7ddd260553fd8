package io.hdfsraid.blockfixer.plan;

import io.hdfsraid.blockfixer.detect.StripeHealth;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import io.hdfsraid.erasurecode.RebuildRecipe;
import io.hdfsraid.erasurecode.UnitSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * How a degraded stripe is repaired: all its losses in one pass. A value that goes stale: it is
 * made anew before each attempt.
 *
 * @param health what was known when it was made
 * @param recipe what to read and how to combine it
 * @param deliveries one for each lost unit, in ascending order
 * @param bytesToRead from the helpers
 * @param bytesToWrite to the targets
 */
public record RepairPlan(
    StripeHealth health,
    RebuildRecipe recipe,
    List<PlannedDelivery> deliveries,
    long bytesToRead,
    long bytesToWrite)
    implements RepairDecision {
  public RepairPlan {
    Objects.requireNonNull(health, "health");
    Objects.requireNonNull(recipe, "recipe");
    deliveries = List.copyOf(deliveries);
  }

  @Override
  public LocatedStripe stripe() {
    return health.stripe();
  }

  public UnitSet lost() {
    return recipe.lost();
  }

  /** Some unit has to share a node with another. */
  public boolean crowded() {
    return deliveries.stream().anyMatch(PlannedDelivery::crowded);
  }

  @Override
  public Optional<RepairPlan> plan() {
    return Optional.of(this);
  }

  @Override
  public String message() {
    return "Rebuild units %s of %s from units %s: read %d bytes, write %d bytes to %s"
        .formatted(
            lost(),
            stripe(),
            recipe.helpers(),
            bytesToRead,
            bytesToWrite,
            deliveries.stream().map(PlannedDelivery::target).toList());
  }
}
