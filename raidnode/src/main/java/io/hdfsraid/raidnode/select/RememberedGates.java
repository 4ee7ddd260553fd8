// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.select;

import io.hdfsraid.policies.Policy;
import io.hdfsraid.policies.capacity.CapacityGate;
import io.hdfsraid.policies.capacity.CapacityGate.State;
import io.hdfsraid.policies.capacity.CapacityRule;
import io.hdfsraid.policies.capacity.SpaceUsage;
import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.Total;
import io.hdfsraid.raidnode.raiding.core.Spaces;
import io.hdfsraid.raidnode.schedule.KnownTrouble;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Stores in the catalog which policies are making room, so that the state survives runs and
 * restarts.
 */
public final class RememberedGates implements RunLimits.Gates, CapacityGates {
  private static final Logger LOG = LoggerFactory.getLogger(RememberedGates.class);
  private static final String NOTE = "capacity/";

  private final Catalog catalog;
  private final Spaces spaces;
  private final KnownTrouble trouble;

  public RememberedGates(Catalog catalog, Spaces spaces) {
    this(catalog, spaces, KnownTrouble.NONE);
  }

  /**
   * @param trouble tells failures that need no line of the log
   */
  public RememberedGates(Catalog catalog, Spaces spaces, KnownTrouble trouble) {
    this.catalog = catalog;
    this.spaces = spaces;
    this.trouble = trouble;
  }

  @Override
  public Level levelOf(Exception failure) {
    return trouble.explains(failure) ? Level.DEBUG : Level.WARN;
  }

  @Override
  public CapacityGate now(Policy policy, CapacityRule rule) {
    try {
      return CapacityGate.resumed(rule, noted(policy)).look(fill(rule));
    } catch (IOException | RuntimeException e) {
      return CapacityGates.unknown(rule, e);
    }
  }

  private State noted(Policy policy) {
    return catalog.notes().text(NOTE + policy.name()).map(State::valueOf).orElse(State.RESTING);
  }

  @Override
  public CapacityGate look(Policy policy, CapacityRule rule, SpaceUsage fill) {
    String note = NOTE + policy.name();
    State before = noted(policy);
    CapacityGate gate = CapacityGate.resumed(rule, before).look(fill);
    if (gate.state() != before) {
      catalog.notes().text(note, gate.state().name());
      LOG.atInfo()
          .addKeyValue("policy", policy.name())
          .addKeyValue("state", gate.state())
          .log(gate.why());
    }
    return gate;
  }

  @Override
  public SpaceUsage fill(CapacityRule rule) throws IOException {
    SpaceUsage fill = spaces.of(rule);
    // Replicas that HDFS has not dropped yet count as room that is already made.
    return rule.directory().isEmpty() ? fill.choosing(leaving()) : fill;
  }

  private long leaving() {
    return catalog.files().totals().stream()
        .filter(total -> total.state() == FileState.REDUCED)
        .mapToLong(Total::savedBytes)
        .map(saved -> Math.max(0, saved))
        .sum();
  }
}
