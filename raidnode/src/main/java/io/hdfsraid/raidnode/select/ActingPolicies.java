// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.select;

import io.hdfsraid.policies.Policies;
import io.hdfsraid.policies.Policy;
import io.hdfsraid.policies.window.WindowState;
import io.hdfsraid.raidnode.mode.OperatingMode;
import io.hdfsraid.raidnode.mode.WorkingHours;
import io.hdfsraid.raidnode.scrub.FirstReads;
import java.time.Clock;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Tells which policies in force may act now: the daemon is not paused, and a time window of the
 * policy is open. A policy that makes room raids only while room is wanted. None raids while what
 * was raided before waits too long for its first read.
 */
public final class ActingPolicies {
  private final PoliciesInForce inForce;
  private final OperatingMode mode;
  private final WorkingHours hours;
  private final RunLimits.Gates gates;
  private final FirstReads firstReads;
  private final Clock clock;

  public ActingPolicies(
      PoliciesInForce inForce,
      OperatingMode mode,
      WorkingHours hours,
      RunLimits.Gates gates,
      FirstReads firstReads,
      Clock clock) {
    this.inForce = inForce;
    this.mode = mode;
    this.hours = hours;
    this.gates = gates;
    this.firstReads = firstReads;
    this.clock = clock;
  }

  public PoliciesInForce inForce() {
    return inForce;
  }

  public WorkingHours hours() {
    return hours;
  }

  RunLimits.Gates gates() {
    return gates;
  }

  boolean isPaused() {
    return mode.paused().isPresent();
  }

  /**
   * Returns since when raided replicas wait too long for their first read, so nothing is raided.
   */
  Optional<Instant> heldBackSince() {
    return firstReads.behindSince(clock.instant());
  }

  /** Returns the names of the policies that the filter accepts and that may act now. */
  Set<String> open(Predicate<Policy> which) {
    Policies held = inForce.policies();
    return held.inOrder().stream()
        .filter(which)
        .filter(policy -> mayAct(held, policy))
        .map(Policy::name)
        .collect(Collectors.toSet());
  }

  /**
   * Returns whether a policy may act now.
   *
   * @param held the policies that the policy belongs to
   */
  boolean mayAct(Policies held, Policy policy) {
    return hours.of(held, policy).open() && !isPaused();
  }

  /**
   * Returns whether the policy that has this name now may raid a file now. The name may have gone
   * with a new version of the policies. Users delete files and other runs make room, too, so the
   * capacity is read each time.
   */
  boolean mayRaid(String name) {
    Policies held = inForce.policies();
    return held.inOrder().stream()
        .filter(policy -> policy.name().equals(name))
        .anyMatch(
            policy -> mayAct(held, policy) && isRoomWanted(policy) && heldBackSince().isEmpty());
  }

  private boolean isRoomWanted(Policy policy) {
    return policy.runs().capacity().map(rule -> gates.look(policy, rule).isOpen()).orElse(true);
  }

  /**
   * Returns the lowest intensity, in percent, that the windows of these policies allow now; empty
   * if none of the windows is open.
   */
  OptionalInt intensity(Set<String> names) {
    Policies held = inForce.policies();
    Stream<Policy> named = held.inOrder().stream().filter(policy -> names.contains(policy.name()));
    return named
        .map(policy -> hours.of(held, policy))
        .filter(WindowState::open)
        .mapToInt(WindowState::intensity)
        .min();
  }
}
