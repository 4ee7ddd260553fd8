// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.repair;

import io.hdfsraid.blockfixer.detect.IntegrityCheck;
import io.hdfsraid.blockfixer.detect.StripeHealth;
import io.hdfsraid.blockfixer.detect.StripeHealth.State;
import io.hdfsraid.blockfixer.plan.RepairDecision;
import io.hdfsraid.blockfixer.plan.RepairPlan;
import io.hdfsraid.blockfixer.plan.RepairPlanner;
import io.hdfsraid.blockfixer.repair.StripeRepairer;
import io.hdfsraid.drfs.parity.ParityFile;
import io.hdfsraid.drfs.parity.ParityStore;
import io.hdfsraid.raidnode.catalog.RepairLedger;
import io.hdfsraid.raidnode.catalog.RepairState;
import io.hdfsraid.raidnode.catalog.RepairState.Postponed;
import io.hdfsraid.raidnode.catalog.RepairState.Running;
import io.hdfsraid.raidnode.catalog.StripeKey;
import java.io.IOException;
import java.time.Instant;
import java.util.Optional;

/**
 * Repairs one stripe that a worker has taken from the ledger. Evaluates the stripe again before it
 * is planned, because the ledger may be outdated. Safe for concurrent use.
 */
public final class StripeRepairTask {
  private final RunningRepairs running = new RunningRepairs();
  private final RepairLedger ledger;
  private final ParityStore parity;
  private final Tools tools;
  private final TransientLosses transients;
  private final RepairResults results;

  /**
   * The steps of a repair.
   *
   * @param usual repairs stripes that tolerate another loss
   * @param urgent repairs the others, with a byte budget of its own
   */
  public record Tools(
      IntegrityCheck check, RepairPlanner planner, StripeRepairer usual, StripeRepairer urgent) {}

  public StripeRepairTask(
      RepairLedger ledger,
      ParityStore parity,
      Tools tools,
      TransientLosses transients,
      RepairResults results) {
    this.ledger = ledger;
    this.parity = parity;
    this.tools = tools;
    this.transients = transients;
    this.results = results;
  }

  /** Returns what repairing a stripe would do now. */
  Optional<RepairDecision> foresee(StripeHealth health) throws IOException {
    return health.state() == State.HEALTHY
        ? Optional.empty()
        : Optional.of(tools.planner().plan(health));
  }

  /**
   * Leaves a stripe alone until the given time, or until more of it is lost. A repair in progress
   * is cancelled: a unit becomes final on its target only after all of it has arrived and was
   * proven.
   *
   * @return the state of the stripe now; empty if it waits for no repair
   */
  Optional<RepairState> leave(StripeKey stripe, Instant until, String by) {
    Optional<RepairState> left = putLeft(stripe, until);
    left.ifPresent(
        state -> {
          running.cutOff(stripe, until);
          results.left(state, by);
        });
    return left;
  }

  /**
   * Postpones the repair of a stripe until the given time. A stripe that is parked or unrecoverable
   * keeps its state: a pause would hide it, and the end of the pause would start another attempt.
   */
  private Optional<RepairState> putLeft(StripeKey stripe, Instant until) {
    return ledger.update(
        stripe, state -> state.leave(until).map(RepairState.class::cast).orElse(state));
  }

  /** Repairs a stripe and records the result. */
  void repair(Running repair, RepairOrder order) throws IOException {
    try (RunningRepairs.Run run = running.begin(repair.stripe())) {
      try {
        if (!isLeftSince(repair)) {
          repairUnlessLeft(repair, order);
        }
      } finally {
        // An operator who wants the stripe left alone overrides the result of the repair.
        run.left().ifPresent(until -> putLeft(repair.stripe(), until));
      }
    }
  }

  /** Time has passed since the stripe was taken. */
  private boolean isLeftSince(Running taken) {
    return ledger
        .find(taken.stripe())
        .filter(now -> now instanceof Postponed postponed && postponed.isLeftByOperator())
        .isPresent();
  }

  /**
   * Every end of this method leaves a new state in the ledger. Otherwise the stripe stays running.
   */
  private void repairUnlessLeft(Running repair, RepairOrder order) throws IOException {
    try {
      Optional<ParityFile> found =
          parity
              .find(repair.inode())
              .filter(file -> file.file().inode() == repair.stripe().parityInode());
      if (found.isPresent()) {
        repair(repair, found.get(), order);
      } else {
        ledger.remove(repair.stripe());
      }
    } catch (IOException | RuntimeException | Error e) {
      if (Thread.currentThread().isInterrupted()) {
        // Not a failure of the stripe: it keeps its place, also if another process takes over.
        ledger.put(repair.release());
      } else {
        results.broke(repair, e);
      }
      throw e;
    }
  }

  private void repair(Running taken, ParityFile file, RepairOrder order) throws IOException {
    IntegrityCheck check = tools.check();
    StripeHealth health = check.checkAgain(check.locate(file, taken.stripe().index()));
    if (StripeHealthRecorder.isUnsettled(taken, health)) {
      results.unsettled(results.judged(taken, taken.lost(), health.furtherLosses()), order.by());
      return;
    }
    if (!health.needsRepair()) {
      ledger.remove(taken.stripe());
      return;
    }
    Running repair = results.judged(taken, health.lost(), health.furtherLosses());
    if (health.furtherLosses() > order.furtherLosses()) {
      // The stripe is better off than recorded: it takes its turn among the others.
      ledger.put(repair.release());
      return;
    }
    Optional<Instant> mayReturnUntil =
        order.asked() ? Optional.empty() : transients.mayReturnUntil(repair, health, file);
    if (mayReturnUntil.isPresent()) {
      ledger.put(repair.awaitNodes(mayReturnUntil.get()));
      return;
    }
    RepairDecision decision = tools.planner().plan(health);
    Optional<RepairPlan> plan = decision.plan();
    if (plan.isEmpty()) {
      boolean unrecoverable = health.state() == State.UNRECOVERABLE;
      results.withoutPlan(repair, unrecoverable, decision.message(), order.by());
      return;
    }
    ledger.put(repair);
    boolean atRisk = health.furtherLosses() <= RepairOrder.AT_RISK;
    StripeRepairer repairer = atRisk ? tools.urgent() : tools.usual();
    try {
      results.ended(
          repair, plan.get(), repairer.repair(plan.get(), check.lookup(file)), order.by());
    } catch (FurtherLossException e) {
      StripeHealth now = check.checkAgain(check.locate(file, taken.stripe().index()));
      ledger.put(results.judged(repair, now.lost(), now.furtherLosses()).release());
    }
  }
}
