// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.yarn.work;

import io.hdfsraid.blockfixer.plan.PlannedDelivery;
import io.hdfsraid.blockfixer.repair.RebuildOrder;
import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import io.hdfsraid.drfs.stripe.StripeUnit;
import io.hdfsraid.drfs.stripe.UnitState;
import io.hdfsraid.erasurecode.ErasureCodec;
import io.hdfsraid.erasurecode.RebuildRecipe;
import io.hdfsraid.erasurecode.RowLayout;
import io.hdfsraid.erasurecode.UnitSet;
import io.hdfsraid.erasurecode.codes.Codecs;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Units of a stripe that a container is to rebuild.
 *
 * @param order names whoever waits for it in its job
 * @param parityInode inode id of the parity file, for messages
 * @param stripe position in the parity file, for messages
 * @param codec name of the codec
 * @param stripeLength length of each parity unit in bytes
 * @param units all units of the stripe, in order
 * @param targets where the rebuilt units go
 */
public record RepairWork(
    int order,
    long parityInode,
    int stripe,
    String codec,
    RowLayout layout,
    long stripeLength,
    List<Unit> units,
    List<Target> targets)
    implements Work {
  /** Stripes that a container repairs at the same time. More would hardly hide more of the wait. */
  public static final int AT_ONCE = 4;

  public RepairWork {
    units = List.copyOf(units);
    targets = List.copyOf(targets);
  }

  /**
   * A unit of the stripe.
   *
   * @param crc CRC32C of its bytes as recorded
   * @param absent whether it is zeros by definition
   * @param source its replicas; only of units that are read
   */
  public record Unit(long length, int crc, boolean absent, Optional<Source> source) {
    private UnitState state() {
      if (absent) {
        return UnitState.ABSENT;
      }
      return source.isPresent() ? UnitState.LIVE : UnitState.LOST;
    }
  }

  /**
   * A unit that is rebuilt.
   *
   * @param crc CRC32C that its bytes must have
   * @param storageType HDFS's name for the medium
   * @param token the right to write exactly this block; empty if the cluster does not use tokens
   */
  public record Target(
      int unit, Block block, int crc, DataNode node, String storageType, String token) {

    /** Returns the same target with the right to write to it. */
    public Target with(String right) {
      return new Target(unit, block, crc, node, storageType, right);
    }

    private PlannedDelivery delivery() {
      boolean crowded = false; // of no interest to whoever sends it
      return new PlannedDelivery(unit, block, crc, node, storageType, crowded);
    }
  }

  /**
   * Returns what a container needs to know of an order. Rights are added later.
   *
   * @param number number of the order in its job
   */
  public static RepairWork of(int number, RebuildOrder order) {
    LocatedStripe stripe = order.stripe();
    UnitSet helpers = order.recipe().helpers();
    String noTokenYet = "";
    List<Unit> units = new ArrayList<>();
    for (StripeUnit unit : stripe.units()) {
      Optional<Source> source =
          unit.located()
              .filter(located -> helpers.contains(unit.unit()))
              .map(located -> new Source(located.block(), located.live(), noTokenYet));
      units.add(new Unit(unit.length(), unit.crc(), unit.state() == UnitState.ABSENT, source));
    }
    List<Target> targets =
        order.deliveries().stream()
            .map(
                to ->
                    new Target(
                        to.unit(), to.block(), to.crc(), to.target(), to.storageType(), noTokenYet))
            .toList();
    return new RepairWork(
        number,
        stripe.parityInode(),
        stripe.index(),
        stripe.codec().name(),
        stripe.layout(),
        stripe.stripeLength(),
        units,
        targets);
  }

  /**
   * Returns the order. Its recipe reads nothing but the units that the original one reads.
   *
   * @throws IllegalArgumentException if these units do not determine the lost ones
   */
  public RebuildOrder rebuild() {
    ErasureCodec its = Codecs.parse(codec);
    List<StripeUnit> all = new ArrayList<>();
    for (int unit = 0; unit < units.size(); unit++) {
      Unit each = units.get(unit);
      Optional<LocatedBlock> located = each.source().map(Source::located);
      all.add(new StripeUnit(unit, each.length(), each.crc(), located, each.state()));
    }
    LocatedStripe located = new LocatedStripe(parityInode, stripe, its, layout, stripeLength, all);
    UnitSet lost = UnitSet.of(targets.stream().mapToInt(Target::unit));
    RebuildRecipe recipe =
        its.recipe(lost, located.available(), located.cost(unit -> 1))
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "Units %s of %s do not determine units %s"
                            .formatted(located.available(), located, lost)));
    return new RebuildOrder(located, recipe, targets.stream().map(Target::delivery).toList());
  }

  /** Returns the same work with the rights to read and to write. */
  public RepairWork permitted(Function<Block, String> read, Function<Target, String> write) {
    return new RepairWork(
        order,
        parityInode,
        stripe,
        codec,
        layout,
        stripeLength,
        units.stream()
            .map(
                unit ->
                    new Unit(
                        unit.length(),
                        unit.crc(),
                        unit.absent(),
                        unit.source().map(source -> source.with(read.apply(source.block())))))
            .toList(),
        targets.stream().map(target -> target.with(write.apply(target))).toList());
  }

  @Override
  public RepairWork numbered(int number) {
    return new RepairWork(number, parityInode, stripe, codec, layout, stripeLength, units, targets);
  }

  /** Returns the units that are read, in order. */
  public List<Source> sources() {
    return units.stream().flatMap(unit -> unit.source().stream()).toList();
  }

  /** Counts whole units, of which some codes read less. */
  @Override
  public long bytes() {
    return sources().stream().mapToLong(source -> source.block().length()).sum();
  }

  @Override
  public int streams() {
    return AT_ONCE * (sources().size() + targets.size());
  }

  @Override
  public List<Held> held() {
    return Stream.concat(
            sources().stream().map(Source::held),
            targets.stream()
                .map(target -> new Held(List.of(target.node()), target.block().length())))
        .toList();
  }
}
