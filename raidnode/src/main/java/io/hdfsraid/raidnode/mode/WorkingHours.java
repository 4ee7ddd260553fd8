// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.mode;

import io.hdfsraid.policies.Policies;
import io.hdfsraid.policies.Policy;
import io.hdfsraid.policies.window.ManualOverride;
import io.hdfsraid.policies.window.WindowState;
import io.hdfsraid.raidnode.catalog.Notes;
import java.time.Clock;
import java.time.Instant;
import java.util.Optional;

/**
 * Tells when policies may act, by their windows and blackouts and by the temporary overrides of
 * operators. Repairs, audits and checks run at any time. Safe for concurrent use.
 */
public final class WorkingHours {
  static final String NOTE = "working-hours";

  private final Notes notes;
  private final Clock clock;

  /** An override by an operator, as stored. */
  private record Wish(String state, Instant until) {}

  public WorkingHours(Notes notes, Clock clock) {
    this.notes = notes;
    this.clock = clock;
  }

  /** An operator wants it so until then, whatever windows say. */
  public void override(ManualOverride wanted) {
    notes.record(NOTE, new Wish(wanted.state().name(), wanted.until()));
  }

  /** What the windows say counts again. */
  public void follow() {
    notes.remove(NOTE);
  }

  /** What an operator wants now. */
  public Optional<ManualOverride> wanted() {
    return notes
        .record(NOTE, Wish.class)
        .map(wish -> new ManualOverride(ManualOverride.State.valueOf(wish.state()), wish.until()))
        .filter(wish -> wish.until().isAfter(clock.instant()));
  }

  /** Whether a policy may act now, how hard, and until when that holds. */
  public WindowState of(Policies policies, Policy policy) {
    return policies.windowsOf(policy).at(clock.instant(), wanted());
  }
}
