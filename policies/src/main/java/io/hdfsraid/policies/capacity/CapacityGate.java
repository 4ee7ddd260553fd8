// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.policies.capacity;

import java.util.Locale;
import java.util.Objects;

/**
 * Lets files be raided while their space is too full, like a cache that evicts. Between the two
 * thresholds of its rule it keeps its state (hysteresis), so that it does not open and close with
 * every file. A gate is immutable: each reading of the space gives the next gate.
 */
public record CapacityGate(CapacityRule rule, State state, String why) {
  /** The state of a gate. The names are kept on disk: add, do not rename. */
  public enum State {
    /** Lets nothing through. */
    RESTING,
    /** Lets files through, coldest first. */
    EVICTING
  }

  public CapacityGate {
    Objects.requireNonNull(rule, "rule");
    Objects.requireNonNull(state, "state");
    Objects.requireNonNull(why, "why");
  }

  /** One that was in this state when the daemon stopped; the first is resting. */
  public static CapacityGate resumed(CapacityRule rule, State state) {
    return new CapacityGate(rule, state, "Its space was not looked at yet.");
  }

  /** Returns the gate for this usage of its space. */
  public CapacityGate look(SpaceUsage fill) {
    if (fill.total() == 0) {
      return new CapacityGate(
          rule, State.RESTING, "Nobody knows how large %s is.".formatted(rule.space()));
    }
    double percent = fill.percent();
    State next =
        state == State.EVICTING
            ? percent < rule.stopBelow() ? State.RESTING : State.EVICTING
            : percent > rule.startAbove() ? State.EVICTING : State.RESTING;
    return new CapacityGate(
        rule,
        next,
        String.format(
            Locale.ROOT,
            "%.1f %% of %s will be occupied once all has left that is to leave; %s.",
            percent,
            rule.space(),
            next == State.EVICTING
                ? "files are raided until it is below " + rule.stopBelow() + " %"
                : "none is raided before it is above " + rule.startAbove() + " %"));
  }

  public boolean isOpen() {
    return state == State.EVICTING;
  }
}
