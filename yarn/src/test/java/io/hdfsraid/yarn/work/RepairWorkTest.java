// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.yarn.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsraid.blockfixer.plan.PlannedDelivery;
import io.hdfsraid.blockfixer.repair.RebuildOrder;
import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import io.hdfsraid.drfs.stripe.StripeUnit;
import io.hdfsraid.drfs.stripe.UnitState;
import io.hdfsraid.erasurecode.ErasureCodec;
import io.hdfsraid.erasurecode.UnitSet;
import io.hdfsraid.erasurecode.codes.Codecs;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RepairWorkTest {
  private static final long LENGTH = 12 << 20;

  private static DataNode node(int unit) {
    return new DataNode("dn-" + unit, "10.0.0." + unit + ":9866", "host" + unit, "/rack" + unit);
  }

  private static Block block(int unit) {
    return new Block(100 + unit, 7, LENGTH);
  }

  /** Loses units of a stripe whose last data unit is zeros, and orders them to be rebuilt. */
  private static RebuildOrder order(ErasureCodec codec, UnitSet lost) {
    int zeros = codec.shape().dataUnits() - 1;
    List<StripeUnit> units =
        IntStream.range(0, codec.shape().units())
            .mapToObj(
                unit -> {
                  if (unit == zeros) {
                    return new StripeUnit(unit, 0, 0, Optional.empty(), UnitState.ABSENT);
                  }
                  UnitState state = lost.contains(unit) ? UnitState.LOST : UnitState.LIVE;
                  List<Replica> live =
                      state == UnitState.LOST
                          ? List.of()
                          : List.of(new Replica(node(unit), "DISK", true));
                  return new StripeUnit(
                      unit,
                      LENGTH,
                      unit * 31,
                      Optional.of(new LocatedBlock(block(unit), live, List.of())),
                      state);
                })
            .toList();
    LocatedStripe stripe = new LocatedStripe(16_400, 2, codec, codec.layout(), LENGTH, units);
    // A cost that prefers late units, which a container does not know of.
    return new RebuildOrder(
        stripe,
        codec.recipe(lost, stripe.available(), stripe.cost(unit -> 1.0 / (unit + 1))).orElseThrow(),
        lost.stream()
            .mapToObj(
                unit ->
                    new PlannedDelivery(
                        unit, block(unit), unit * 31, node(unit + 50), "DISK", false))
            .toList());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"rs-10-4", "lrc-azure-12-2-2", "less-12-4", "hitchhiker-10-4", "crs-good-10-4"})
  void aContainerReadsWhatTheDaemonHasPlannedAndWritesWhereItHasPlanned(String name) {
    ErasureCodec codec = Codecs.parse(name);
    int last = codec.shape().units() - 1;
    for (UnitSet lost :
        List.of(UnitSet.of(0), UnitSet.of(last), UnitSet.of(1, 3), UnitSet.of(2, last))) {
      RebuildOrder order = order(codec, lost);

      RebuildOrder read = RepairWork.of(5, order).permitted(b -> "", t -> "").rebuild();

      assertThat(read.recipe().lost()).isEqualTo(lost);
      assertThat(read.recipe().helpers().minus(order.stripe().absent()))
          .as("helpers for %s of %s", lost, name)
          .isEqualTo(order.recipe().helpers().minus(order.stripe().absent()));
      assertThat(bytes(read)).as("bytes read for %s of %s", lost, name).isEqualTo(bytes(order));
      assertThat(read.deliveries()).isEqualTo(order.deliveries());
      assertThat(read.stripe()).hasToString(order.stripe().toString());
    }
  }

  private static long bytes(RebuildOrder order) {
    return order.stripe().units().stream()
        .mapToLong(
            unit ->
                order
                    .recipe()
                    .bytesRead(
                        unit.unit(),
                        unit.length(),
                        order.stripe().stripeLength(),
                        order.stripe().layout()))
        .sum();
  }

  @Test
  void onlyUnitsThatAreReadHaveSourcesAndEachGetsItsOwnRight() {
    RepairWork work =
        RepairWork.of(5, order(Codecs.parse("lrc-azure-12-2-2"), UnitSet.of(0)))
            .permitted(block -> "read " + block.id(), target -> "write " + target.block().id());

    assertThat(work.sources())
        .hasSizeLessThan(12)
        .allSatisfy(source -> assertThat(source.token()).isEqualTo("read " + source.block().id()));
    assertThat(work.targets())
        .singleElement()
        .returns("write 100", RepairWork.Target::token)
        .returns(node(50), RepairWork.Target::node);
  }

  @Test
  void workThatDoesNotDetermineTheLostUnitsIsRefused() {
    RepairWork work = RepairWork.of(5, order(Codecs.parse("rs-3-2"), UnitSet.of(0)));
    RepairWork withoutSources =
        new RepairWork(
            5,
            work.parityInode(),
            work.stripe(),
            work.codec(),
            work.layout(),
            work.stripeLength(),
            work.units().stream()
                .map(
                    unit ->
                        new RepairWork.Unit(
                            unit.length(), unit.crc(), unit.absent(), Optional.empty()))
                .toList(),
            work.targets());

    assertThatThrownBy(withoutSources::rebuild)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("do not determine units {0}");
  }
}
