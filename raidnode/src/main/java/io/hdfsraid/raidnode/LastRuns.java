// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode;

import io.hdfsraid.policies.Policies;
import io.hdfsraid.policies.Policy;
import io.hdfsraid.raidnode.catalog.Notes;
import java.time.Clock;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Stores when the last run of each scheduled policy began, because Quartz forgets it at a restart.
 * Safe for concurrent use.
 */
final class LastRuns {
  private static final String NOTE = "last-runs";

  private final Notes notes;
  private final Clock clock;

  /** Of all policies that are in force, by name. */
  private record Noted(Map<String, Run> runs) {}

  /**
   * A run.
   *
   * @param schedule by which it ran: by another one nothing was missed
   */
  private record Run(String schedule, Instant at) {}

  LastRuns(Notes notes, Clock clock) {
    this.notes = notes;
    this.clock = clock;
  }

  /**
   * Those that are in force no more are forgotten: when they come back they have missed nothing.
   */
  synchronized void keep(Policies inForce) {
    Map<String, Run> runs = noted();
    runs.keySet().retainAll(inForce.inOrder().stream().map(Policy::name).toList());
    notes.record(NOTE, new Noted(runs));
  }

  /** Since when runs may have been missed: now, for a policy that is new, or has a new schedule. */
  synchronized Instant of(Policy policy) {
    return Optional.ofNullable(noted().get(policy.name()))
        .filter(run -> run.schedule().equals(schedule(policy)))
        .map(Run::at)
        // A clock that was wrong then must not keep the policy from running.
        .filter(at -> !at.isAfter(clock.instant()))
        .orElseGet(() -> began(policy));
  }

  /** It runs. */
  synchronized Instant began(Policy policy) {
    Map<String, Run> runs = noted();
    Instant now = clock.instant();
    runs.put(policy.name(), new Run(schedule(policy), now));
    notes.record(NOTE, new Noted(runs));
    return now;
  }

  private Map<String, Run> noted() {
    return new HashMap<>(notes.record(NOTE, Noted.class).map(Noted::runs).orElse(Map.of()));
  }

  private static String schedule(Policy policy) {
    return "%s %s %s"
        .formatted(policy.schedule().orElse(""), policy.runs().timeZone(), policy.runs().misfire());
  }
}
