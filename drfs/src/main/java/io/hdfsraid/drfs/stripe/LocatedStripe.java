// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.stripe;

import io.hdfsraid.erasurecode.ErasureCodec;
import io.hdfsraid.erasurecode.ReadCost;
import io.hdfsraid.erasurecode.RowLayout;
import io.hdfsraid.erasurecode.UnitSet;
import java.util.List;

/**
 * A stripe as its manifest describes it and as HDFS shows it now: all facts that are needed to
 * evaluate it, to plan its repair and to read through it.
 *
 * @param parityInode inode id of the parity file
 * @param index of the stripe in the parity file
 * @param stripeLength length of its parity units, which fixes its rows
 * @param units all k + m of them, in order
 */
public record LocatedStripe(
    long parityInode,
    int index,
    ErasureCodec codec,
    RowLayout layout,
    long stripeLength,
    List<StripeUnit> units) {
  public LocatedStripe {
    units = List.copyOf(units);
    if (units.size() != codec.shape().units()) {
      throw new IllegalArgumentException(
          "A stripe of %s has %d units, but got %d"
              .formatted(codec.name(), codec.shape().units(), units.size()));
    }
  }

  public StripeUnit unit(int unit) {
    return units.get(unit);
  }

  private UnitSet inState(UnitState state) {
    return UnitSet.of(units.stream().filter(u -> u.state() == state).mapToInt(StripeUnit::unit));
  }

  public UnitSet lost() {
    return inState(UnitState.LOST);
  }

  public UnitSet changed() {
    return inState(UnitState.CHANGED);
  }

  /** Returns the units that a recipe may read: live units, and absent units, which are zeros. */
  public UnitSet available() {
    return inState(UnitState.LIVE).plus(inState(UnitState.ABSENT));
  }

  public UnitSet absent() {
    return inState(UnitState.ABSENT);
  }

  /**
   * Returns the given cost, reduced to almost nothing for absent units, which are zeros and never
   * read.
   */
  public ReadCost cost(ReadCost cost) {
    UnitSet absent = absent();
    // A recipe may read as many units as it likes for less than the price of one byte.
    return unit -> absent.contains(unit) ? Double.MIN_NORMAL : cost.perByte(unit);
  }

  /** Returns this stripe with the given units marked as lost, whatever the NameNode says. */
  public LocatedStripe withLost(UnitSet lost) {
    return new LocatedStripe(
        parityInode,
        index,
        codec,
        layout,
        stripeLength,
        units.stream()
            .map(
                u ->
                    lost.contains(u.unit()) && u.state() == UnitState.LIVE
                        ? new StripeUnit(u.unit(), u.length(), u.crc(), u.located(), UnitState.LOST)
                        : u)
            .toList());
  }

  @Override
  public String toString() {
    return "stripe %d of parity inode %d (%s)".formatted(index, parityInode, codec.name());
  }
}
