// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.blockfixer.plan;

import io.hdfsraid.drfs.stripe.LocatedStripe;
import java.util.Optional;

/** The decision about a stripe that has lost units: a plan, or the reason why there is none. */
public sealed interface RepairDecision permits RepairPlan, RepairImpossible, RepairBlocked {
  LocatedStripe stripe();

  /** Returns the decision as one sentence for users. */
  String message();

  /** Returns the plan, if there is one. */
  default Optional<RepairPlan> plan() {
    return Optional.empty();
  }
}
