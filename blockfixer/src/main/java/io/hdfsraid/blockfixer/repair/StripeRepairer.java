// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.blockfixer.repair;

import io.hdfsraid.blockfixer.detect.BlockLookup;
import io.hdfsraid.blockfixer.detect.DetectionSource;
import io.hdfsraid.blockfixer.detect.FaultClassifier;
import io.hdfsraid.blockfixer.detect.StripeHealth;
import io.hdfsraid.blockfixer.detect.StripeJudge;
import io.hdfsraid.blockfixer.detect.UnitFinding;
import io.hdfsraid.blockfixer.plan.RepairDecision;
import io.hdfsraid.blockfixer.plan.RepairPlan;
import io.hdfsraid.blockfixer.plan.RepairPlanner;
import io.hdfsraid.blockfixer.repair.RepairOutcome.Postponed;
import io.hdfsraid.blockfixer.repair.RepairOutcome.Reason;
import io.hdfsraid.blockfixer.repair.RepairOutcome.Repaired;
import io.hdfsraid.drfs.block.BadReplicaReports;
import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.DataNodes;
import io.hdfsraid.drfs.namespace.Fence;
import io.hdfsraid.drfs.step.StepListener;
import io.hdfsraid.drfs.stripe.FailedReplica;
import io.hdfsraid.drfs.stripe.HelperLostException;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import io.hdfsraid.drfs.stripe.WrongContentException;
import io.hdfsraid.erasurecode.UnitSet;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;

/**
 * Carries out repair plans. An engine rebuilds all lost units of a stripe in one pass, streams them
 * to their targets and verifies them before they become final. A delivery counts only when the
 * NameNode lists it. Safe for concurrent use; a stripe is repaired by one call at a time.
 */
public final class StripeRepairer {
  private final RepairEngine engine;
  private final RepairPlanner planner;
  private final DataNodes dataNodes;
  private final BadReplicaReports reports;
  private final Fence fence;
  private final StripeClaims claims;
  private final RepairLimits limits;
  private final StepListener steps;

  /**
   * @param planner plans again if a helper or a target fails
   * @param dataNodes asked once more about each bad replica before it is reported, and read in full
   *     if the rebuilt bytes differ from the recorded ones
   * @param claims shared with all tasks that change stripes
   */
  public StripeRepairer(
      RepairEngine engine,
      RepairPlanner planner,
      DataNodes dataNodes,
      BadReplicaReports reports,
      Fence fence,
      StripeClaims claims,
      RepairLimits limits,
      StepListener steps) {
    this.engine = engine;
    this.planner = planner;
    this.dataNodes = dataNodes;
    this.reports = reports;
    this.fence = fence;
    this.claims = claims;
    this.limits = limits;
    this.steps = steps;
  }

  /**
   * Repairs a stripe.
   *
   * @param blocks looks up the blocks of this stripe at the NameNode
   * @throws IOException if the fence cannot be passed or the NameNode does not answer; only
   *     verified replicas are final then
   */
  public RepairOutcome repair(RepairPlan plan, BlockLookup blocks) throws IOException {
    Optional<StripeClaims.Claim> claim = claims.claim(plan.stripe());
    if (claim.isEmpty()) {
      return new Postponed(
          plan.stripe(), Reason.IN_WORK, "Another task works on " + plan.stripe(), 0);
    }
    LongAdder bytesRead = new LongAdder();
    try {
      return repair(plan, blocks, bytesRead);
    } catch (PostponedException e) {
      return new Postponed(plan.stripe(), e.reason(), e.getMessage(), bytesRead.sum());
    } catch (WrongContentException e) {
      return new Postponed(plan.stripe(), Reason.WRONG_CONTENT, e.getMessage(), bytesRead.sum());
    } finally {
      claim.get().close();
    }
  }

  private RepairOutcome repair(RepairPlan first, BlockLookup blocks, LongAdder bytesRead)
      throws IOException {
    RepairPlan plan = first;
    Set<DataNode> avoid = new HashSet<>();
    UnitSet known = first.lost();
    int fruitless = 0;
    while (true) {
      StripeHealth health;
      IOException failure;
      try {
        return attempt(plan, blocks, bytesRead);
      } catch (HelperLostException e) {
        health = withoutHelper(plan.health(), e);
        failure = e;
      } catch (TargetFailedException e) {
        health = plan.health();
        avoid.add(e.target());
        failure = e;
      } catch (WrongContentException e) {
        Optional<StripeHealth> worse = withoutWrongHelpers(plan, bytesRead);
        if (worse.isEmpty()) {
          return new WithoutParity(plan, blocks, bytesRead).repair(e);
        }
        health = worse.get();
        failure = e;
      }
      UnitSet proven = provenOf(health, plan);
      // An attempt that has found one more bad unit is progress, and the number of units is
      // limited. If it counted, a stripe with more rotten helpers than attempts would never be
      // repaired: findings are not stored, and the next repair begins with the same helpers.
      fruitless += known.containsAll(proven) ? 1 : 0;
      known = known.plus(proven);
      if (fruitless == limits.attempts()) {
        throw new PostponedException(
            Reason.NODES_FAILED,
            "Gave up on %s after %d attempts; the last: %s"
                .formatted(plan.stripe(), fruitless, failure.getMessage()));
      }
      RepairDecision next = planner.plan(health, proven, avoid);
      if (next.plan().isEmpty()) {
        return cannot(next, health, bytesRead.sum());
      }
      plan = next.plan().get();
    }
  }

  /**
   * Finds the helpers with wrong bytes. Every byte passed its node's checksums, yet the result is
   * wrong. Without this search each retry would read the same helpers.
   *
   * @return the stripe without them; empty if each helper holds the recorded bytes
   */
  private Optional<StripeHealth> withoutWrongHelpers(RepairPlan plan, LongAdder bytesRead)
      throws IOException {
    List<UnitFinding> wrong =
        new WrongHelperSearch(dataNodes, bytesRead::add)
            .among(plan.stripe(), plan.recipe().helpers());
    if (wrong.isEmpty()) {
      return Optional.empty();
    }
    List<UnitFinding> findings = beyondTheNameNode(plan.health());
    findings.addAll(wrong);
    return Optional.of(StripeJudge.judge(plan.stripe(), findings));
  }

  /**
   * The repair of a stripe whose units all hold what was recorded, and yet do not fit together. If
   * that is so a second time, parity must have been wrong when it was recorded: the data is what
   * users wrote, as its checksums in HDFS say. The lost data is rebuilt without one unit of parity,
   * then without two; what has the recorded checksum is right.
   */
  private final class WithoutParity {
    private final RepairPlan contradicted;
    private final LocatedStripe stripe;
    private final BlockLookup blocks;
    private final LongAdder bytesRead;
    private final UnitSet lostParity;

    WithoutParity(RepairPlan contradicted, BlockLookup blocks, LongAdder bytesRead) {
      this.contradicted = contradicted;
      this.stripe = contradicted.stripe();
      this.blocks = blocks;
      this.bytesRead = bytesRead;
      this.lostParity =
          UnitSet.of(
              contradicted.lost().stream().filter(unit -> stripe.codec().shape().isParity(unit)));
    }

    /**
     * @throws WrongContentException the given exception, if no part of the parity explains it
     */
    RepairOutcome repair(WrongContentException contradiction) throws IOException {
      Optional<Repaired> again = repair(contradicted.lost(), UnitSet.none());
      if (again.isPresent()) {
        return again.get(); // bytes were wrong on their way, or in our memory
      }
      UnitSet wanted = contradicted.lost().minus(lostParity);
      if (wanted.isEmpty()) {
        return new RepairOutcome.WrongParity(
            new Repaired(stripe, List.of(), UnitSet.none(), Optional.empty(), bytesRead.sum()),
            lostParity);
      }
      for (UnitSet leftOut : suspects()) {
        Optional<Repaired> repaired = repair(wanted, leftOut);
        if (repaired.isPresent()) {
          return new RepairOutcome.WrongParity(repaired.get(), leftOut.plus(lostParity));
        }
      }
      throw contradiction;
    }

    /** Returns the sets to leave out: none if lost parity may be the wrong one, one unit, two. */
    private List<UnitSet> suspects() {
      int[] parity =
          stripe.available().stream()
              .filter(unit -> stripe.codec().shape().isParity(unit))
              .toArray();
      List<UnitSet> suspects = new ArrayList<>();
      if (!lostParity.isEmpty()) {
        suspects.add(UnitSet.none());
      }
      for (int unit : parity) {
        suspects.add(UnitSet.of(unit));
      }
      for (int i = 0; i < parity.length; i++) {
        for (int j = 0; j < i; j++) {
          suspects.add(UnitSet.of(parity[i], parity[j]));
        }
      }
      return suspects;
    }

    private Optional<Repaired> repair(UnitSet wanted, UnitSet leftOut) throws IOException {
      StripeHealth health =
          StripeJudge.judge(stripe.withLost(leftOut), beyondTheNameNode(contradicted.health()));
      Optional<RepairPlan> plan =
          planner.plan(health, wanted, Set.of()).plan().filter(found -> !found.partial());
      if (plan.isEmpty()) {
        return Optional.empty();
      }
      try {
        return Optional.of(attempt(plan.get(), blocks, bytesRead));
      } catch (WrongContentException e) {
        return Optional.empty(); // not that one, or not it alone
      } catch (HelperLostException | TargetFailedException e) {
        throw new PostponedException(
            Reason.NODES_FAILED,
            "Gave up on %s, whose parity does not fit its data: %s"
                .formatted(stripe, e.getMessage()));
      }
    }
  }

  private Repaired attempt(RepairPlan plan, BlockLookup blocks, LongAdder bytesRead)
      throws IOException {
    RepairAttempt now =
        new RepairAttempt(
            plan,
            blocks,
            new ReplicaRecheck(plan.stripe(), dataNodes),
            reports,
            fence,
            limits,
            steps);
    RepairAttempt.Delivered delivered = now.deliver(engine, bytesRead::add);
    now.confirm();
    return new Repaired(
        plan.stripe(),
        plan.deliveries(),
        delivered.unproven(),
        delivered.application(),
        bytesRead.sum());
  }

  private static List<UnitFinding> beyondTheNameNode(StripeHealth health) {
    return new ArrayList<>(
        health.findings().stream()
            .filter(finding -> finding.source() != DetectionSource.NAMENODE)
            .toList());
  }

  private static RepairOutcome cannot(
      RepairDecision decision, StripeHealth health, long bytesRead) {
    return decision instanceof io.hdfsraid.blockfixer.plan.RepairImpossible
        ? new RepairOutcome.Unrecoverable(health, decision.message())
        : new Postponed(decision.stripe(), Reason.BLOCKED, decision.message(), bytesRead);
  }

  /**
   * Returns the units to repair now: those of the plan and those found to be lost. A helper whose
   * node does not answer is not included: the caller decides how long to wait for it.
   */
  private static UnitSet provenOf(StripeHealth health, RepairPlan plan) {
    return plan.lost().plus(health.lost().minus(health.unreachable()));
  }

  /** Evaluates the stripe again with the findings of the failed read. */
  private static StripeHealth withoutHelper(StripeHealth health, HelperLostException lost) {
    LocatedStripe stripe = health.stripe();
    List<UnitFinding> findings = beyondTheNameNode(health);
    for (FailedReplica failed : lost.failed()) {
      findings.add(
          new UnitFinding(
              failed.unit(),
              failed.block(),
              Optional.of(failed.replica()),
              FaultClassifier.faultOf(failed.cause(), DetectionSource.READ),
              DetectionSource.READ,
              "%s, unit %d of %s".formatted(failed, failed.unit(), stripe)));
    }
    // Lost even if there was no replica to try.
    return StripeJudge.judge(stripe.withLost(lost.units()), findings);
  }
}
