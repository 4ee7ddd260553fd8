package io.hdfsraid.blockfixer.plan;

import io.hdfsraid.drfs.stripe.LocatedStripe;
import java.util.Optional;

/** What can be done about a stripe that has lost units. */
public sealed interface RepairDecision permits RepairPlan, Unrecoverable, Blocked {
  LocatedStripe stripe();

  /** In one sentence, for people. */
  String message();

  /** The plan, when there is one. */
  default Optional<RepairPlan> plan() {
    return Optional.empty();
  }
}
