package io.hdfsraid.raidnode.rounds;

import io.hdfsraid.policies.Policy;
import io.hdfsraid.policies.capacity.CapacityGate;
import io.hdfsraid.policies.capacity.CapacityGate.State;
import io.hdfsraid.policies.capacity.CapacityRule;
import io.hdfsraid.policies.capacity.Fill;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.FileStatus;
import io.hdfsraid.raidnode.catalog.Total;
import io.hdfsraid.raidnode.raid.Spaces;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Remembers in the catalog which policies are making room, over runs and restarts. */
final class NotedGates implements RunLimits.Gates, CapacityGates {
  private static final Logger LOG = LoggerFactory.getLogger(NotedGates.class);
  private static final String NOTE = "capacity/";

  private final Catalog catalog;
  private final Spaces spaces;

  NotedGates(Catalog catalog, Spaces spaces) {
    this.catalog = catalog;
    this.spaces = spaces;
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
  public CapacityGate look(Policy policy, CapacityRule rule, Fill fill) {
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
  public Fill fill(CapacityRule rule) throws IOException {
    Fill fill = spaces.of(rule);
    // Replicas that HDFS has not dropped yet are room that is already made.
    return rule.directory().isEmpty() ? fill.choosing(leaving()) : fill;
  }

  private long leaving() {
    return catalog.files().totals().stream()
        .filter(total -> total.status() == FileStatus.REDUCED)
        .mapToLong(Total::savedBytes)
        .map(saved -> Math.max(0, saved))
        .sum();
  }
}
