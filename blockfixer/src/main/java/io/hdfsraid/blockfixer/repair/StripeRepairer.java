package io.hdfsraid.blockfixer.repair;

import io.hdfsraid.blockfixer.detect.BlockView;
import io.hdfsraid.blockfixer.detect.Finding;
import io.hdfsraid.blockfixer.detect.NodeAnswer;
import io.hdfsraid.blockfixer.detect.Source;
import io.hdfsraid.blockfixer.detect.StripeHealth;
import io.hdfsraid.blockfixer.detect.StripeJudge;
import io.hdfsraid.blockfixer.plan.RepairDecision;
import io.hdfsraid.blockfixer.plan.RepairPlan;
import io.hdfsraid.blockfixer.plan.RepairPlanner;
import io.hdfsraid.blockfixer.repair.RepairOutcome.Postponed;
import io.hdfsraid.blockfixer.repair.RepairOutcome.Reason;
import io.hdfsraid.blockfixer.repair.RepairOutcome.Repaired;
import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.DataNodes;
import io.hdfsraid.drfs.namespace.Fence;
import io.hdfsraid.drfs.step.StepListener;
import io.hdfsraid.drfs.stripe.FailedReplica;
import io.hdfsraid.drfs.stripe.HelperLostException;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import io.hdfsraid.drfs.stripe.StripeRebuilder;
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
 * Carries repair plans out: rebuilds all lost units of a stripe in one pass, streams them to their
 * targets, proves them before they become final, and believes only the NameNode that they have
 * arrived. Safe for concurrent use; one stripe is repaired by one call at a time.
 */
public final class StripeRepairer {
  private final StripeRebuilder rebuilder;
  private final RepairPlanner planner;
  private final BlockDelivery delivery;
  private final DataNodes dataNodes;
  private final BadReplicaReports reports;
  private final Fence fence;
  private final StripesInWork inWork;
  private final RepairLimits limits;
  private final StepListener steps;

  /**
   * @param planner makes the plan anew when a helper or a target fails on the way
   * @param dataNodes asked once more about each bad replica before the NameNode is told of it, and
   *     read in full when what was rebuilt is not what was recorded
   * @param inWork shared with everything else that changes stripes
   */
  public StripeRepairer(
      StripeRebuilder rebuilder,
      RepairPlanner planner,
      BlockDelivery delivery,
      DataNodes dataNodes,
      BadReplicaReports reports,
      Fence fence,
      StripesInWork inWork,
      RepairLimits limits,
      StepListener steps) {
    this.rebuilder = rebuilder;
    this.planner = planner;
    this.delivery = delivery;
    this.dataNodes = dataNodes;
    this.reports = reports;
    this.fence = fence;
    this.inWork = inWork;
    this.limits = limits;
    this.steps = steps;
  }

  /**
   * Repairs a stripe.
   *
   * @param blocks how the NameNode shows the blocks of this stripe
   * @throws IOException when the fence does not let it pass or the NameNode cannot be asked; no
   *     replica is final then that was not proven
   */
  public RepairOutcome repair(RepairPlan plan, BlockView blocks) throws IOException {
    Optional<StripesInWork.Claim> claim = inWork.claim(plan.stripe());
    if (claim.isEmpty()) {
      return new Postponed(
          plan.stripe(), Reason.IN_WORK, "Another task works on " + plan.stripe(), 0);
    }
    LongAdder bytesRead = new LongAdder();
    try {
      return repair(plan, blocks, bytesRead);
    } catch (NotNowException e) {
      return new Postponed(plan.stripe(), e.reason(), e.getMessage(), bytesRead.sum());
    } catch (WrongContentException e) {
      return new Postponed(plan.stripe(), Reason.WRONG_CONTENT, e.getMessage(), bytesRead.sum());
    } finally {
      claim.get().close();
    }
  }

  private RepairOutcome repair(RepairPlan first, BlockView blocks, LongAdder bytesRead)
      throws IOException {
    RepairPlan plan = first;
    Set<DataNode> avoid = new HashSet<>();
    UnitSet known = first.lost();
    int fruitless = 0;
    while (true) {
      StripeHealth health;
      IOException failure;
      try {
        Attempt now =
            new Attempt(
                plan,
                blocks,
                new SecondLook(plan.stripe(), dataNodes),
                reports,
                fence,
                limits.patience(),
                steps);
        now.deliver(rebuilder, delivery, bytesRead::add);
        now.confirm();
        return new Repaired(plan.stripe(), plan.deliveries(), bytesRead.sum());
      } catch (HelperLostException e) {
        health = withoutHelper(plan.health(), e);
        failure = e;
      } catch (TargetFailedException e) {
        health = plan.health();
        avoid.add(e.target());
        failure = e;
      } catch (WrongContentException e) {
        health = withoutWrongHelpers(plan, e, bytesRead);
        failure = e;
      }
      UnitSet proven = provenOf(health, plan);
      // An attempt that has found one more unit to be bad is not in vain, and there are only so
      // many
      // units. If it counted, a stripe with more rotten helpers than attempts were never repaired:
      // what they find is forgotten, and the next time begins with the same helpers.
      fruitless += known.containsAll(proven) ? 1 : 0;
      known = known.plus(proven);
      if (fruitless == limits.attempts()) {
        throw new NotNowException(
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
   * Every byte that was read passed its node's checksums, and yet they do not fit together. Who is
   * wrong must be found, or each retry would read the same.
   *
   * @throws WrongContentException the same, when each helper holds what was recorded
   */
  private StripeHealth withoutWrongHelpers(
      RepairPlan plan, WrongContentException contradiction, LongAdder bytesRead)
      throws IOException {
    List<Finding> wrong =
        new WrongHelpers(dataNodes, bytesRead::add).among(plan.stripe(), plan.recipe().helpers());
    if (wrong.isEmpty()) {
      throw contradiction;
    }
    List<Finding> findings = beyondTheNameNode(plan.health());
    findings.addAll(wrong);
    return StripeJudge.judge(plan.stripe(), findings);
  }

  private static List<Finding> beyondTheNameNode(StripeHealth health) {
    return new ArrayList<>(
        health.findings().stream().filter(finding -> finding.source() != Source.NAMENODE).toList());
  }

  private static RepairOutcome cannot(
      RepairDecision decision, StripeHealth health, long bytesRead) {
    return decision instanceof io.hdfsraid.blockfixer.plan.Unrecoverable
        ? new RepairOutcome.Unrecoverable(health, decision.message())
        : new Postponed(decision.stripe(), Reason.BLOCKED, decision.message(), bytesRead);
  }

  /**
   * What was to be repaired, and what has turned out to be lost for good; a helper whose node just
   * does not answer is left to whoever decides how long to wait for it.
   */
  private static UnitSet provenOf(StripeHealth health, RepairPlan plan) {
    return plan.lost().plus(health.lost().minus(health.unreachable()));
  }

  /** Judges the stripe again with what the failed read has shown. */
  private static StripeHealth withoutHelper(StripeHealth health, HelperLostException lost) {
    LocatedStripe stripe = health.stripe();
    List<Finding> findings = beyondTheNameNode(health);
    for (FailedReplica failed : lost.failed()) {
      findings.add(
          new Finding(
              failed.unit(),
              failed.block(),
              Optional.of(failed.replica()),
              NodeAnswer.faultOf(failed.cause(), Source.READ),
              Source.READ,
              "%s, unit %d of %s".formatted(failed, failed.unit(), stripe)));
    }
    // Lost even if no replica of it was there to try.
    return StripeJudge.judge(stripe.withLost(UnitSet.of(lost.unit())), findings);
  }
}
