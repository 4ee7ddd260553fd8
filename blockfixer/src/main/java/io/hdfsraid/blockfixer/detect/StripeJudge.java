package io.hdfsraid.blockfixer.detect;

import io.hdfsraid.blockfixer.detect.StripeHealth.State;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import io.hdfsraid.drfs.stripe.StripeUnit;
import io.hdfsraid.drfs.stripe.StripeUnit.Standing;
import io.hdfsraid.erasurecode.ErasureCodec;
import io.hdfsraid.erasurecode.ReadCost;
import io.hdfsraid.erasurecode.UnitSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Says how a stripe stands, from what NameNode and findings show; by rank, never by counting. */
public final class StripeJudge {
  private StripeJudge() {}

  /**
   * Judges a stripe.
   *
   * @param stripe as the NameNode shows it
   * @param findings what was found beyond that, on replicas the NameNode holds to be good
   */
  public static StripeHealth judge(LocatedStripe stripe, List<Finding> findings) {
    LocatedStripe seen = withoutBadReplicas(stripe, findings);
    UnitSet lost = seen.lost();
    UnitSet deleted =
        UnitSet.of(
            findings.stream()
                .filter(finding -> finding.fault() == Fault.DELETED)
                .mapToInt(Finding::unit));
    // What is deleted is lost to the stripe, but not to be rebuilt; of what has changed, the
    // recorded bytes may still be somewhere.
    UnitSet changed = seen.changed().minus(deleted);
    ErasureCodec codec = stripe.codec();
    State state;
    if (lost.isEmpty()) {
      state = seen.changed().isEmpty() ? State.HEALTHY : State.UNKNOWN;
    } else if (codec.recipe(lost, seen.available(), ReadCost.UNIFORM).isPresent()) {
      state = State.DEGRADED;
    } else {
      // What has changed may still hold the recorded bytes, so nothing is proven.
      state = changed.isEmpty() ? State.UNRECOVERABLE : State.UNKNOWN;
    }
    int furtherLosses = codec.furtherLosses(lost.plus(seen.changed()));
    if (state == State.DEGRADED) {
      furtherLosses = Math.max(0, furtherLosses);
    }
    List<Finding> all = new ArrayList<>(findings);
    all.addAll(wordOfTheNameNode(stripe));
    return new StripeHealth(seen, state, lost, furtherLosses, all);
  }

  private static LocatedStripe withoutBadReplicas(LocatedStripe stripe, List<Finding> findings) {
    return new LocatedStripe(
        stripe.parityInode(),
        stripe.index(),
        stripe.codec(),
        stripe.layout(),
        stripe.stripeLength(),
        stripe.units().stream().map(unit -> withoutBadReplicas(unit, findings)).toList());
  }

  private static StripeUnit withoutBadReplicas(StripeUnit unit, List<Finding> findings) {
    Set<Replica> bad =
        findings.stream()
            .filter(finding -> finding.unit() == unit.unit())
            .flatMap(finding -> finding.replica().stream())
            .collect(Collectors.toSet());
    if (unit.standing() != Standing.LIVE || bad.isEmpty()) {
      return unit;
    }
    LocatedBlock located = unit.located().orElseThrow();
    List<Replica> usable =
        located.live().stream().filter(replica -> !bad.contains(replica)).toList();
    return usable.isEmpty()
        ? new StripeUnit(unit.unit(), unit.length(), unit.crc(), unit.located(), Standing.LOST)
        : new StripeUnit(
            unit.unit(),
            unit.length(),
            unit.crc(),
            Optional.of(new LocatedBlock(located.block(), usable, located.corrupt())),
            Standing.LIVE);
  }

  private static List<Finding> wordOfTheNameNode(LocatedStripe stripe) {
    return stripe.units().stream()
        .flatMap(unit -> unit.located().stream().flatMap(block -> wordOn(stripe, unit, block)))
        .toList();
  }

  private static Stream<Finding> wordOn(
      LocatedStripe stripe, StripeUnit unit, LocatedBlock located) {
    Fault fault;
    String what;
    if (unit.standing() == Standing.CHANGED) {
      fault = Fault.CHANGED;
      what = "is not, or not as it was recorded, part of its file any more";
    } else if (unit.standing() == Standing.LOST && located.isLost()) {
      fault = located.corrupt().isEmpty() ? Fault.MISSING : Fault.CORRUPT;
      what =
          located.corrupt().isEmpty()
              ? "has no replica on any live node"
              : "is corrupt on every node that has it: " + located.holders();
    } else {
      return Stream.empty();
    }
    return Stream.of(
        new Finding(
            unit.unit(),
            located.block(),
            Optional.empty(),
            fault,
            Source.NAMENODE,
            "%s, unit %d of %s, %s, says the NameNode"
                .formatted(located.block(), unit.unit(), stripe, what)));
  }
}
