// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.blockfixer.detect;

import io.hdfsraid.blockfixer.detect.StripeHealth.State;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import io.hdfsraid.drfs.stripe.StripeUnit;
import io.hdfsraid.drfs.stripe.UnitState;
import io.hdfsraid.erasurecode.ErasureCodec;
import io.hdfsraid.erasurecode.ReadCost;
import io.hdfsraid.erasurecode.UnitSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Evaluates the health of a stripe from what the NameNode shows and from findings. Decides by the
 * rank of the generator matrix, never by counting units.
 */
public final class StripeJudge {
  private StripeJudge() {}

  /**
   * Evaluates a stripe.
   *
   * @param stripe as the NameNode shows it
   * @param findings faults found in replicas that the NameNode considers good
   */
  public static StripeHealth judge(LocatedStripe stripe, List<UnitFinding> findings) {
    LocatedStripe seen = withoutBadReplicas(stripe, findings);
    UnitSet lost = seen.lost();
    UnitSet deleted =
        UnitSet.of(
            findings.stream()
                .filter(finding -> finding.fault() == Fault.DELETED)
                .mapToInt(UnitFinding::unit));
    // A deleted unit is lost to the stripe, but need not be rebuilt. The recorded bytes of a
    // changed unit may still exist somewhere.
    UnitSet changed = seen.changed().minus(deleted);
    ErasureCodec codec = stripe.codec();
    State state;
    if (lost.isEmpty()) {
      state = seen.changed().isEmpty() ? State.HEALTHY : State.UNKNOWN;
    } else if (codec.recipe(lost, seen.available(), ReadCost.UNIFORM).isPresent()) {
      state = State.DEGRADED;
    } else {
      // The recorded bytes of a changed unit may still exist, so no loss is proven.
      state = changed.isEmpty() ? State.UNRECOVERABLE : State.UNKNOWN;
    }
    int furtherLosses = codec.furtherLosses(lost.plus(seen.changed()));
    boolean rebuildable =
        state == State.DEGRADED || (state == State.UNKNOWN && !determined(seen, lost).isEmpty());
    if (rebuildable) {
      furtherLosses = Math.max(0, furtherLosses);
    }
    List<UnitFinding> all = new ArrayList<>(findings);
    all.addAll(wordOfTheNameNode(stripe));
    return new StripeHealth(seen, state, lost, furtherLosses, all);
  }

  /** Returns those of the lost units that the available units determine, each for itself. */
  static UnitSet determined(LocatedStripe stripe, UnitSet lost) {
    return UnitSet.of(
        lost.stream()
            .filter(
                unit ->
                    stripe
                        .codec()
                        .recipe(UnitSet.of(unit), stripe.available(), ReadCost.UNIFORM)
                        .isPresent()));
  }

  private static LocatedStripe withoutBadReplicas(
      LocatedStripe stripe, List<UnitFinding> findings) {
    return new LocatedStripe(
        stripe.parityInode(),
        stripe.index(),
        stripe.codec(),
        stripe.layout(),
        stripe.stripeLength(),
        stripe.units().stream().map(unit -> withoutBadReplicas(unit, findings)).toList());
  }

  private static StripeUnit withoutBadReplicas(StripeUnit unit, List<UnitFinding> findings) {
    Set<Replica> bad =
        findings.stream()
            .filter(finding -> finding.unit() == unit.unit())
            .flatMap(finding -> finding.replica().stream())
            .collect(Collectors.toSet());
    if (unit.state() != UnitState.LIVE || bad.isEmpty()) {
      return unit;
    }
    LocatedBlock located = unit.located().orElseThrow();
    List<Replica> usable =
        located.live().stream().filter(replica -> !bad.contains(replica)).toList();
    return usable.isEmpty()
        ? new StripeUnit(unit.unit(), unit.length(), unit.crc(), unit.located(), UnitState.LOST)
        : new StripeUnit(
            unit.unit(),
            unit.length(),
            unit.crc(),
            Optional.of(new LocatedBlock(located.block(), usable, located.corrupt())),
            UnitState.LIVE);
  }

  private static List<UnitFinding> wordOfTheNameNode(LocatedStripe stripe) {
    return stripe.units().stream()
        .flatMap(unit -> unit.located().stream().flatMap(block -> wordOn(stripe, unit, block)))
        .toList();
  }

  private static Stream<UnitFinding> wordOn(
      LocatedStripe stripe, StripeUnit unit, LocatedBlock located) {
    Fault fault;
    String what;
    if (unit.state() == UnitState.CHANGED) {
      fault = Fault.CHANGED;
      what = "is not, or not as it was recorded, part of its file any more";
    } else if (unit.state() == UnitState.LOST && located.isLost()) {
      fault = located.corrupt().isEmpty() ? Fault.MISSING : Fault.CORRUPT;
      what =
          located.corrupt().isEmpty()
              ? "has no replica on any live node"
              : "is corrupt on every node that has it: " + located.holders();
    } else {
      return Stream.empty();
    }
    return Stream.of(
        new UnitFinding(
            unit.unit(),
            located.block(),
            Optional.empty(),
            fault,
            DetectionSource.NAMENODE,
            "%s, unit %d of %s, %s, says the NameNode"
                .formatted(located.block(), unit.unit(), stripe, what)));
  }
}
