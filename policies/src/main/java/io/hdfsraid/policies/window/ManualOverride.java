// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.policies.window;

import java.time.Instant;
import java.util.Objects;

/**
 * An operator's order for some hours, which overrides windows and blackouts.
 *
 * @param until the first moment at which it is over
 */
public record ManualOverride(State state, Instant until) {
  /** The order. */
  public enum State {
    /** Work at full speed. */
    OPEN,
    /** No work. */
    CLOSED
  }

  public ManualOverride {
    Objects.requireNonNull(state, "state");
    Objects.requireNonNull(until, "until");
  }

  boolean holdsAt(Instant moment) {
    return moment.isBefore(until);
  }
}
