// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.stripe;

import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.erasurecode.ReadCost;
import io.hdfsraid.erasurecode.UnitSet;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/**
 * A lost unit that is read range after range. A replica that could not be read once is avoided
 * afterwards, because a node that hangs costs a timeout each time. Slow nodes are avoided as long
 * as the others suffice. Safe for concurrent use.
 */
public final class LostUnit {
  private final StripeRebuilder rebuilder;
  private final LocatedStripe stripe;
  private final int unit;
  private final Predicate<DataNode> slow;
  private final Set<Helper> failed = ConcurrentHashMap.newKeySet();

  private record Helper(int unit, DataNode node) {}

  /**
   * @param stripe the unit counts as lost, whatever its state there
   * @param slow nodes that are left out, too, if the others suffice
   */
  public LostUnit(
      StripeRebuilder rebuilder, LocatedStripe stripe, int unit, Predicate<DataNode> slow) {
    this.slow = slow;
    this.rebuilder = rebuilder;
    this.stripe = stripe.withLost(UnitSet.of(unit));
    this.unit = unit;
  }

  public LocatedStripe stripe() {
    return stripe;
  }

  /**
   * Rebuilds {@code target.remaining()} bytes from {@code offset} on, as {@link
   * StripeRebuilder#read} does. Replicas that failed in earlier reads are tried again only if the
   * others do not determine the unit.
   */
  public HelperReads read(long offset, ByteBuffer target) throws IOException {
    Set<Helper> avoided = Set.copyOf(failed);
    LocatedStripe readable = without(avoided::contains);
    LocatedStripe quick = without(helper -> avoided.contains(helper) || slow.test(helper.node()));
    if (!quick.units().equals(readable.units())) {
      try {
        return read(quick, offset, target);
      } catch (UnrecoverableStripeException e) {
        // Slow ones are needed.
      }
    }
    if (!avoided.isEmpty()) {
      try {
        return read(readable, offset, target);
      } catch (UnrecoverableStripeException e) {
        failed.removeAll(avoided);
      }
    }
    return read(stripe, offset, target);
  }

  private HelperReads read(LocatedStripe from, long offset, ByteBuffer target) throws IOException {
    HelperReads reads = rebuilder.read(from, unit, offset, target, ReadCost.UNIFORM);
    reads
        .failed()
        .forEach(replica -> failed.add(new Helper(replica.unit(), replica.replica().node())));
    return reads;
  }

  private LocatedStripe without(Predicate<Helper> avoided) {
    return new LocatedStripe(
        stripe.parityInode(),
        stripe.index(),
        stripe.codec(),
        stripe.layout(),
        stripe.stripeLength(),
        stripe.units().stream().map(each -> without(avoided, each)).toList());
  }

  private static StripeUnit without(Predicate<Helper> avoided, StripeUnit of) {
    if (of.state() != UnitState.LIVE) {
      return of;
    }
    LocatedBlock located = of.located().orElseThrow();
    List<Replica> others =
        located.live().stream()
            .filter(replica -> !avoided.test(new Helper(of.unit(), replica.node())))
            .toList();
    return new StripeUnit(
        of.unit(),
        of.length(),
        of.crc(),
        Optional.of(new LocatedBlock(located.block(), others, located.corrupt())),
        others.isEmpty() ? UnitState.LOST : UnitState.LIVE);
  }
}
