package io.hdfsraid.blockfixer.plan;

import io.hdfsraid.blockfixer.detect.StripeHealth;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import io.hdfsraid.erasurecode.RebuildRecipe;
import io.hdfsraid.erasurecode.UnitSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * How a stripe is repaired: all its losses in one pass, or as many as can be. A value that goes
 * stale: it is made anew before each attempt.
 *
 * @param health what was known when it was made
 * @param recipe what to read and how to combine it
 * @param deliveries one for each unit that is rebuilt, in ascending order
 * @param undetermined units that should be rebuilt too, and that the units left do not determine
 * @param unplaced units that should be rebuilt too, and for which no node has room
 * @param bytesToRead from the helpers
 * @param bytesToWrite to the targets
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

  /** The stripe is not whole after it: some units that should be rebuilt are left as they are. */
  public boolean partial() {
    return !undetermined.isEmpty() || !unplaced.isEmpty();
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
