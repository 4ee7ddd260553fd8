// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.catalog;

import io.hdfsraid.raidapi.status.ReheatCost;
import java.time.Clock;
import java.util.function.UnaryOperator;

/**
 * Counts the cost of having raided files that are still used. The counts survive a restart. Safe
 * for concurrent use.
 */
public final class ReheatCosts {
  private static final String NOTE = "reheat-costs";

  private final Notes notes;
  private final Clock clock;

  ReheatCosts(Notes notes, Clock clock) {
    this.notes = notes;
    this.clock = clock;
  }

  public synchronized void add(UnaryOperator<ReheatCost> more) {
    notes.record(NOTE, more.apply(now()));
  }

  /** All so far. */
  public synchronized ReheatCost now() {
    return notes
        .record(NOTE, ReheatCost.class)
        .orElseGet(
            () -> {
              ReheatCost none = ReheatCost.none(clock.instant());
              notes.record(NOTE, none);
              return none;
            });
  }
}
