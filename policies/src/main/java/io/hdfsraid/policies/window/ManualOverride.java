package io.hdfsraid.policies.window;

import java.time.Instant;
import java.util.Objects;

/**
 * What an operator wants for some hours, whatever windows and blackouts say.
 *
 * @param until the first moment at which it is over
 */
public record ManualOverride(State state, Instant until) {
  /** What he wants. */
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
