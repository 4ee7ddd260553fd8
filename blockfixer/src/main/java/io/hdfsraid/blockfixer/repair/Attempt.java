package io.hdfsraid.blockfixer.repair;

import io.hdfsraid.blockfixer.detect.BadReplica;
import io.hdfsraid.blockfixer.detect.BlockView;
import io.hdfsraid.blockfixer.detect.Fault;
import io.hdfsraid.blockfixer.plan.PlannedDelivery;
import io.hdfsraid.blockfixer.plan.RepairPlan;
import io.hdfsraid.blockfixer.repair.RepairOutcome.Reason;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.drfs.namespace.Fence;
import io.hdfsraid.drfs.step.StepListener;
import io.hdfsraid.drfs.stripe.FailedReplica;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import io.hdfsraid.drfs.stripe.RebuiltStripe;
import io.hdfsraid.drfs.stripe.StripeRebuilder;
import io.hdfsraid.drfs.stripe.UnitSink;
import io.hdfsraid.erasurecode.UnitSet;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;

/**
 * One try at one plan, step by step. Each method ends either with its step done or with an
 * exception and nothing final that was not final before.
 */
final class Attempt {
  private final RepairPlan plan;
  private final LocatedStripe stripe;
  private final BlockView blocks;
  private final SecondLook secondLook;
  private final BadReplicaReports reports;
  private final Fence fence;
  private final Patience patience;
  private final StepListener steps;

  Attempt(
      RepairPlan plan,
      BlockView blocks,
      SecondLook secondLook,
      BadReplicaReports reports,
      Fence fence,
      Patience patience,
      StepListener steps) {
    this.plan = plan;
    this.stripe = plan.stripe();
    this.blocks = blocks;
    this.secondLook = secondLook;
    this.reports = reports;
    this.fence = fence;
    this.patience = patience;
    this.steps = steps;
    steps.reached(RepairStep.PLANNED, stripe.toString());
  }

  /**
   * Sees to it that the NameNode does not trust bad replicas any more: with two replicas it holds
   * to be good it might drop the one that is. Not before what replaces them is proven: the NameNode
   * does not take a report back. So each node is asked once more, and is told on only for what it
   * shows then: other bytes, rot, or its own word that the replica is not there when the NameNode
   * does not hear of that from the node itself. Of a node that hangs up nothing is known; its
   * replica is not reported, and the new one is delivered beside it.
   *
   * @return the units of which a replica turned out to be good: nothing is to be delivered for them
   */
  private UnitSet report(List<FailedReplica> failed) throws IOException {
    UnitSet good = UnitSet.none();
    List<BadReplica> reported = new ArrayList<>();
    boolean noticed = false;
    for (BadReplica replica : bad(failed)) {
      if (!trusted(replica)) {
        continue;
      }
      SecondLook.Answer answer = secondLook.at(replica);
      if (answer == SecondLook.Answer.GOOD) {
        good = good.with(replica.unit());
      } else if (answer == SecondLook.Answer.GONE && patience.until(() -> !trusted(replica))) {
        noticed = true;
      } else if (answer == SecondLook.Answer.BAD || answer == SecondLook.Answer.GONE) {
        fence.pass();
        reports.report(replica.block(), replica.replica());
        reported.add(replica);
      }
    }
    for (BadReplica replica : reported) {
      if (!patience.until(() -> !trusted(replica))) {
        throw new NotNowException(
            Reason.NOT_REPORTED,
            "The NameNode still holds %s on %s to be good although it was reported as corrupt"
                .formatted(replica.block(), replica.replica().node()));
      }
    }
    if (noticed || !reported.isEmpty()) {
      steps.reached(RepairStep.REPORTED, stripe.toString());
    }
    return good;
  }

  private List<BadReplica> bad(List<FailedReplica> failed) {
    List<BadReplica> bad = new ArrayList<>();
    for (BadReplica replica : plan.health().unreportedBadReplicas()) {
      // Of what is not delivered the last replica stays, bad as it is: a report cannot be undone.
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

  /** Rebuilds all lost units in one pass, each straight to its target; proves and finishes them. */
  void deliver(StripeRebuilder rebuilder, BlockDelivery delivery, LongConsumer bytesRead)
      throws IOException {
    List<Outgoing> outgoing = new ArrayList<>();
    try {
      RebuiltStripe rebuilt = rebuild(rebuilder, delivery, outgoing, bytesRead);
      for (Outgoing unit : outgoing) {
        unit.prove(stripe);
      }
      steps.reached(RepairStep.REBUILT, stripe.toString());
      UnitSet good = report(rebuilt.reads().failed());
      finish(outgoing.stream().filter(unit -> !good.contains(unit.planned().unit())).toList());
      requireNothingDropped(good);
    } finally {
      outgoing.forEach(Attempt::closeQuietly);
    }
  }

  private void requireNothingDropped(UnitSet good) throws NotNowException {
    UnitSet dropped = good.minus(good.minus(plan.lost()));
    if (!dropped.isEmpty()) {
      throw new NotNowException(
          Reason.CHANGED,
          "Units %s of %s turned out to be good on the nodes that have them; nothing was delivered for them"
              .formatted(dropped, stripe));
    }
  }

  private RebuiltStripe rebuild(
      StripeRebuilder rebuilder,
      BlockDelivery delivery,
      List<Outgoing> outgoing,
      LongConsumer bytesRead)
      throws IOException {
    try {
      return rebuilder.rebuild(stripe, plan.recipe(), () -> open(delivery, outgoing), bytesRead);
    } catch (IOException e) {
      for (Outgoing unit : outgoing) {
        if (unit.failure().isPresent()) {
          throw unit.failure().get();
        }
      }
      throw e;
    }
  }

  private Map<Integer, UnitSink> open(BlockDelivery delivery, List<Outgoing> outgoing)
      throws TargetFailedException {
    Map<Integer, UnitSink> sinks = new HashMap<>();
    for (PlannedDelivery planned : plan.deliveries()) {
      Outgoing unit = Outgoing.open(delivery, planned);
      outgoing.add(unit);
      sinks.put(planned.unit(), unit);
    }
    return sinks;
  }

  private void finish(List<Outgoing> outgoing) throws IOException {
    int finished = 0;
    for (Outgoing unit : outgoing) {
      int number = unit.planned().unit();
      recorded(number);
      fence.pass();
      try {
        unit.finish();
      } catch (TargetFailedException e) {
        if (finished == 0) {
          throw e;
        }
        throw new NotNowException(
            Reason.NODES_FAILED,
            "%s; %d of %d units of %s were delivered before"
                .formatted(e.getMessage(), finished, outgoing.size(), stripe));
      }
      finished++;
      steps.reached(RepairStep.DELIVERED, "unit %d of %s".formatted(number, stripe));
    }
  }

  /** A DataNode's word proves little; waits for the NameNode's. */
  void confirm() throws IOException {
    for (PlannedDelivery planned : plan.deliveries()) {
      if (!patience.until(() -> isLive(planned))) {
        throw new NotNowException(
            Reason.NOT_CONFIRMED,
            "%s took unit %d (%s) of %s, but the NameNode does not list it there yet"
                .formatted(planned.target(), planned.unit(), planned.block(), stripe));
      }
    }
    steps.reached(RepairStep.CONFIRMED, stripe.toString());
  }

  private boolean isLive(PlannedDelivery planned) throws IOException {
    LocatedBlock now = recorded(planned.unit());
    if (now.corrupt().stream().map(Replica::node).anyMatch(planned.target()::equals)) {
      throw new NotNowException(
          Reason.NOT_CONFIRMED,
          "The NameNode takes the replica of %s delivered to %s for corrupt: its length or generation stamp was not what the NameNode has on record"
              .formatted(planned.block(), planned.target()));
    }
    return now.live().stream().map(Replica::node).anyMatch(planned.target()::equals);
  }

  private LocatedBlock recorded(int unit) throws IOException {
    return blocks
        .now(stripe, unit)
        .orElseThrow(
            () ->
                new NotNowException(
                    Reason.CHANGED,
                    "Unit %d of %s is not, or not as recorded, part of its file any more; nothing is delivered for it"
                        .formatted(unit, stripe)));
  }

  private static void closeQuietly(Outgoing unit) {
    try {
      unit.close();
    } catch (IOException e) {
      // What was to be kept is finished; what is dropped is dropped by hanging up, however it goes.
    }
  }
}
