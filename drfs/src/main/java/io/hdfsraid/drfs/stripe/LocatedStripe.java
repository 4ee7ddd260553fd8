package io.hdfsraid.drfs.stripe;

import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.drfs.stripe.StripeUnit.Standing;
import io.hdfsraid.erasurecode.ErasureCodec;
import io.hdfsraid.erasurecode.ReadCost;
import io.hdfsraid.erasurecode.RowLayout;
import io.hdfsraid.erasurecode.UnitSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A stripe as its manifest describes it and as HDFS shows it now: everything that is needed to
 * judge it, to plan its repair and to read through it.
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

  private UnitSet standing(Standing standing) {
    return UnitSet.of(
        units.stream().filter(u -> u.standing() == standing).mapToInt(StripeUnit::unit));
  }

  public UnitSet lost() {
    return standing(Standing.LOST);
  }

  public UnitSet changed() {
    return standing(Standing.CHANGED);
  }

  /** What a recipe may read: live units, and absent ones, which are zeros. */
  public UnitSet available() {
    return standing(Standing.LIVE).plus(standing(Standing.ABSENT));
  }

  public UnitSet absent() {
    return standing(Standing.ABSENT);
  }

  /** The given cost, but next to nothing for absent units: they are zeros and never read. */
  public ReadCost cost(ReadCost cost) {
    UnitSet absent = absent();
    // A recipe may read as many units as it likes for less than the price of one byte.
    return unit -> absent.contains(unit) ? Double.MIN_NORMAL : cost.perByte(unit);
  }

  /** Nodes that hold a live replica of any unit but the given one. */
  public Set<DataNode> nodesOfOthers(int unit) {
    return units.stream()
        .filter(other -> other.unit() != unit && other.standing() == Standing.LIVE)
        .flatMap(other -> other.located().stream())
        .flatMap(block -> block.live().stream())
        .map(Replica::node)
        .collect(Collectors.toUnmodifiableSet());
  }

  /** This stripe with the given units known to be lost, whatever the NameNode says. */
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
                    lost.contains(u.unit()) && u.standing() == Standing.LIVE
                        ? new StripeUnit(u.unit(), u.length(), u.crc(), u.located(), Standing.LOST)
                        : u)
            .toList());
  }

  @Override
  public String toString() {
    return "stripe %d of parity inode %d (%s)".formatted(index, parityInode, codec.name());
  }
}
