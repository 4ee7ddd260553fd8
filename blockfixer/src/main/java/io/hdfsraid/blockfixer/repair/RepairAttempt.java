// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.blockfixer.repair;

import io.hdfsraid.blockfixer.detect.BadReplica;
import io.hdfsraid.blockfixer.detect.BlockLookup;
import io.hdfsraid.blockfixer.detect.Fault;
import io.hdfsraid.blockfixer.plan.PlannedDelivery;
import io.hdfsraid.blockfixer.plan.RepairPlan;
import io.hdfsraid.blockfixer.repair.RepairOutcome.Reason;
import io.hdfsraid.drfs.block.BadReplicaReports;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.drfs.namespace.Fence;
import io.hdfsraid.drfs.step.StepListener;
import io.hdfsraid.drfs.stripe.FailedReplica;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import io.hdfsraid.erasurecode.UnitSet;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongConsumer;

/**
 * One attempt to carry out a plan, step by step. Each method either completes its step or throws
 * without making anything final.
 */
final class RepairAttempt {
  private final RepairPlan plan;
  private final LocatedStripe stripe;
  private final BlockLookup blocks;
  private final ReplicaRecheck recheck;
  private final BadReplicaReports reports;
  private final Fence fence;
  private final RepairLimits limits;
  private final StepListener steps;

  RepairAttempt(
      RepairPlan plan,
      BlockLookup blocks,
      ReplicaRecheck recheck,
      BadReplicaReports reports,
      Fence fence,
      RepairLimits limits,
      StepListener steps) {
    this.plan = plan;
    this.stripe = plan.stripe();
    this.blocks = blocks;
    this.recheck = recheck;
    this.reports = reports;
    this.fence = fence;
    this.limits = limits;
    this.steps = steps;
    steps.reached(RepairStep.PLANNED, stripe.toString());
  }

  /**
   * Makes the NameNode stop trusting bad replicas. If it considered both a bad and a good replica
   * good, it might drop the good one. Replicas are reported only after their replacement is proven,
   * because the NameNode never takes a report back. So each node is asked once more. A replica is
   * reported if it holds other bytes or is rotten. A replica that the node says it does not have is
   * reported only if the NameNode does not learn that from the node itself, as with DataNodes of
   * HDFS 3.3; all such replicas share one wait. If a node closes the connection, nothing is known:
   * its replica is not reported, and the new replica is delivered in addition.
   *
   * @return what is known of the units whose replicas were neither reported nor gone
   */
  private Spared report(List<FailedReplica> failed) throws IOException {
    UnitSet good = UnitSet.none();
    UnitSet unproven = UnitSet.none();
    List<BadReplica> gone = new ArrayList<>();
    List<BadReplica> reported = new ArrayList<>();
    for (BadReplica replica : bad(failed)) {
      if (!trusted(replica)) {
        continue;
      }
      ReplicaRecheck.Result result = recheck.at(replica);
      if (result == ReplicaRecheck.Result.GOOD) {
        good = good.with(replica.unit());
      } else if (result == ReplicaRecheck.Result.SILENT) {
        unproven = unproven.with(replica.unit());
      } else if (result == ReplicaRecheck.Result.GONE) {
        gone.add(replica);
      } else {
        report(replica);
        reported.add(replica);
      }
    }
    for (BadReplica replica : unnoticed(gone)) {
      report(replica);
      reported.add(replica);
    }
    for (BadReplica replica : reported) {
      if (!limits.polling().until(() -> !trusted(replica))) {
        throw new PostponedException(
            Reason.NOT_REPORTED,
            "The NameNode still considers %s on %s good although it was reported as corrupt"
                .formatted(replica.block(), replica.replica().node()));
      }
    }
    if (!gone.isEmpty() || !reported.isEmpty()) {
      steps.reached(RepairStep.REPORTED, stripe.toString());
    }
    return new Spared(good, unproven);
  }

  private void report(BadReplica replica) throws IOException {
    fence.pass();
    reports.report(replica.block(), replica.replica());
  }

  /** Returns those of the vanished replicas that the NameNode still trusts after a wait. */
  private List<BadReplica> unnoticed(List<BadReplica> gone) throws IOException {
    List<BadReplica> trusted = new ArrayList<>(gone);
    boolean allNoticed =
        limits
            .notice()
            .until(
                () -> {
                  List<BadReplica> still = new ArrayList<>();
                  for (BadReplica replica : trusted) {
                    if (trusted(replica)) {
                      still.add(replica);
                    }
                  }
                  trusted.retainAll(still);
                  return trusted.isEmpty();
                });
    return allNoticed ? List.of() : trusted;
  }

  /**
   * The units with replicas that were not reported, although they had seemed bad.
   *
   * @param good a replica turned out to be good; nothing is delivered for these units
   * @param unproven the node of a replica answers nothing, and the NameNode still counts it
   */
  private record Spared(UnitSet good, UnitSet unproven) {}

  private List<BadReplica> bad(List<FailedReplica> failed) {
    List<BadReplica> bad = new ArrayList<>();
    for (BadReplica replica : plan.health().unreportedBadReplicas()) {
      // The last replica of a unit that is not delivered is not reported: a report cannot be
      // undone.
      if (plan.lost().contains(replica.unit()) || hasAnother(replica)) {
        bad.add(replica);
      }
    }
    for (FailedReplica replica : failed) {
      if (replica.corrupt()) {
        bad.add(new BadReplica(replica.unit(), replica.block(), replica.replica(), Fault.ROTTEN));
      }
    }
    return bad;
  }

  private boolean hasAnother(BadReplica bad) {
    return stripe.unit(bad.unit()).located().stream()
        .flatMap(located -> located.live().stream())
        .anyMatch(replica -> !replica.node().equals(bad.replica().node()));
  }

  private boolean trusted(BadReplica bad) throws IOException {
    return recorded(bad.unit()).live().stream()
        .map(Replica::node)
        .anyMatch(bad.replica().node()::equals);
  }

  /**
   * Rebuilds all lost units in one pass, each directly to its target, and makes them final.
   *
   * @return which units are unproven, and where they were rebuilt
   */
  Delivered deliver(RepairEngine engine, LongConsumer bytesRead) throws IOException {
    RebuildOrder order = new RebuildOrder(stripe, plan.recipe(), plan.deliveries());
    try (SentUnits sent = engine.send(order, bytesRead)) {
      steps.reached(RepairStep.REBUILT, stripe.toString());
      Spared spared = report(sent.reads().failed());
      UnitSet good = spared.good();
      finish(sent, plan.deliveries().stream().filter(unit -> !good.contains(unit.unit())).toList());
      requireNothingDropped(good);
      return new Delivered(spared.unproven(), sent.application());
    }
  }

  /**
   * Units that were made final.
   *
   * @param unproven those of which the NameNode also counts a replica that has not proven to be
   *     good
   * @param application the application of YARN that rebuilt them; empty if this process did
   */
  record Delivered(UnitSet unproven, Optional<String> application) {}

  private void requireNothingDropped(UnitSet good) throws PostponedException {
    UnitSet dropped = good.minus(good.minus(plan.lost()));
    if (!dropped.isEmpty()) {
      throw new PostponedException(
          Reason.CHANGED,
          "Units %s of %s turned out to be good on the nodes that have them; nothing was delivered for them"
              .formatted(dropped, stripe));
    }
  }

  private void finish(SentUnits sent, List<PlannedDelivery> deliveries) throws IOException {
    int finished = 0;
    for (PlannedDelivery delivery : deliveries) {
      recorded(delivery.unit());
      fence.pass();
      try {
        sent.finish(delivery);
      } catch (TargetFailedException e) {
        if (finished == 0) {
          throw e;
        }
        throw new PostponedException(
            Reason.NODES_FAILED,
            "%s; %d of %d units of %s were delivered before"
                .formatted(e.getMessage(), finished, deliveries.size(), stripe));
      }
      finished++;
      steps.reached(RepairStep.DELIVERED, "unit %d of %s".formatted(delivery.unit(), stripe));
    }
  }

  /**
   * Waits until the NameNode lists the delivered replicas, and asks their nodes for their
   * checksums. Neither the acknowledgement of a DataNode nor the word of an engine is a proof.
   */
  void confirm() throws IOException {
    for (PlannedDelivery planned : plan.deliveries()) {
      if (!limits.polling().until(() -> isLive(planned))) {
        throw new PostponedException(
            Reason.NOT_CONFIRMED,
            "%s took unit %d (%s) of %s, but the NameNode does not list it there yet"
                .formatted(planned.target(), planned.unit(), planned.block(), stripe));
      }
      requireRecordedContent(planned);
    }
    steps.reached(RepairStep.CONFIRMED, stripe.toString());
  }

  /**
   * Asks all nodes that the NameNode lists, for an engine may have sent the unit to others, too.
   */
  private void requireRecordedContent(PlannedDelivery planned) throws IOException {
    for (Replica replica : recorded(planned.unit()).live()) {
      ReplicaRecheck.Result result =
          recheck.at(new BadReplica(planned.unit(), planned.block(), replica, Fault.OTHER_CONTENT));
      if (result == ReplicaRecheck.Result.BAD) {
        fence.pass();
        reports.report(planned.block(), replica);
        throw new PostponedException(
            Reason.WRONG_CONTENT,
            "%s holds other bytes of %s, unit %d of %s, than were recorded, although the right ones were sent; its replica was reported as corrupt"
                .formatted(replica.node(), planned.block(), planned.unit(), stripe));
      }
      if (result != ReplicaRecheck.Result.GOOD && replica.node().equals(planned.target())) {
        throw new PostponedException(
            Reason.NOT_CONFIRMED,
            "%s took unit %d (%s) of %s, but does not return its checksum"
                .formatted(planned.target(), planned.unit(), planned.block(), stripe));
      }
    }
  }

  private boolean isLive(PlannedDelivery planned) throws IOException {
    LocatedBlock now = recorded(planned.unit());
    if (now.corrupt().stream().map(Replica::node).anyMatch(planned.target()::equals)) {
      throw new PostponedException(
          Reason.NOT_CONFIRMED,
          "The NameNode considers the replica of %s delivered to %s corrupt: its length or generation stamp differs from the NameNode's record"
              .formatted(planned.block(), planned.target()));
    }
    return now.live().stream().map(Replica::node).anyMatch(planned.target()::equals);
  }

  private LocatedBlock recorded(int unit) throws IOException {
    return blocks
        .now(stripe, unit)
        .orElseThrow(
            () ->
                new PostponedException(
                    Reason.CHANGED,
                    "Unit %d of %s is no longer part of its file, or has changed; nothing is delivered for it"
                        .formatted(unit, stripe)));
  }
}
