// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.blockfixer.plan.PlannedDelivery;
import io.hdfsraid.blockfixer.repair.RepairOutcome;
import io.hdfsraid.demo.DemoReport.OtherThanPromised;
import io.hdfsraid.demo.DemoReport.Repairs;
import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import io.hdfsraid.drfs.stripe.StripeUnit;
import io.hdfsraid.drfs.stripe.UnitState;
import io.hdfsraid.erasurecode.ErasureCodec;
import io.hdfsraid.erasurecode.RebuildRecipe;
import io.hdfsraid.erasurecode.RebuildRecipe.Chunk;
import io.hdfsraid.erasurecode.UnitSet;
import io.hdfsraid.erasurecode.codes.Codecs;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RepairComparisonTest {
  private static final int MIB = 1 << 20;

  /** Stripe {@code index} of some file, with data units of these lengths; 0 for an absent one. */
  private static LocatedStripe stripe(ErasureCodec codec, int index, int... lengths) {
    long parity = codec.parityLength(Arrays.stream(lengths).max().orElseThrow());
    List<StripeUnit> units = new ArrayList<>();
    for (int unit = 0; unit < codec.shape().units(); unit++) {
      long length = unit < lengths.length ? lengths[unit] : parity;
      units.add(
          new StripeUnit(
              unit, length, 0, Optional.empty(), length == 0 ? UnitState.ABSENT : UnitState.LIVE));
    }
    return new LocatedStripe(4711, index, codec, codec.layout(), parity, units);
  }

  private static LocatedStripe full(ErasureCodec codec, int index, int length) {
    int[] lengths = new int[codec.shape().dataUnits()];
    Arrays.fill(lengths, length);
    return stripe(codec, index, lengths);
  }

  private static RepairOutcome repaired(LocatedStripe stripe, UnitSet units, long bytesRead) {
    DataNode node = new DataNode("uuid", "10.0.0.1:9866", "node1", "/rack1");
    return new RepairOutcome.Repaired(
        stripe,
        units.stream()
            .mapToObj(
                unit -> new PlannedDelivery(unit, new Block(unit, 1, MIB), 0, node, "DISK", false))
            .toList(),
        UnitSet.none(),
        Optional.empty(),
        bytesRead);
  }

  /** Blocks of one, one and a bit, and nearly two rows. */
  @ParameterizedTest(name = "{0}, unit {1} of units of {2} bytes")
  @CsvSource({
    "rs-10-4, 3, 1048576, 10.00",
    "less-10-4, 0, 4194304, 4.75",
    "less-10-4, 13, 4194304, 4.00",
    "less-10-4, 13, 7000000, 4.00",
    "hitchhiker-10-4, 2, 2097152, 6.50",
    "less-6-3, 1, 1048576, 4.00"
  })
  void aSingleLossOfAFullStripePromisesTheBlocksOfTheTable(
      String name, int lost, int length, double blocks) {
    LocatedStripe stripe = full(Codecs.parse(name), 0, length);
    RepairForecast forecast = RepairForecast.of("/f", stripe, UnitSet.of(lost));
    assertThat(RepairForecast.isFull(stripe)).isTrue();
    assertThat(forecast.bytesRead() / (blocks * length)).isBetween(0.9999, 1.0001);
    assertThat(forecast.bytesRebuilt()).isBetween((long) length, length + 3L);
  }

  /** Byte by byte: which chunks of 512 bytes of which helper are touched. */
  @ParameterizedTest(name = "{0}, lost {1}")
  @CsvSource({"rs-6-3, 1", "less-6-3, 8", "less-6-3, 2", "crs-good-6-3, 4", "hitchhiker-6-3, 0"})
  void whatDataNodesSendIsWholeChunksWithChecksumsOfEachRange(String name, int lost) {
    ErasureCodec codec = Codecs.parse(name);
    LocatedStripe stripe = stripe(codec, 0, 70_001, 70_001, 61_441, 70_001, 512, 0);
    RepairForecast forecast = RepairForecast.of("/f", stripe, UnitSet.of(lost));
    RebuildRecipe recipe =
        codec
            .recipe(
                UnitSet.of(lost),
                stripe.available().without(lost),
                stripe.cost(unit -> (1.0 + stripe.unit(unit).length()) / 70_002))
            .orElseThrow();
    long read = 0;
    long sent = 0;
    for (int helper : recipe.helpers().toArray()) {
      BitSet wanted = new BitSet();
      for (Chunk chunk : recipe.reads()) {
        if (chunk.unit() == helper) {
          long from = stripe.layout().offset(0, chunk.subUnit(), stripe.stripeLength());
          long to = from + stripe.layout().chunkLength(0, stripe.stripeLength());
          wanted.set((int) from, (int) to);
        }
      }
      wanted.clear((int) stripe.unit(helper).length(), Integer.MAX_VALUE);
      read += wanted.cardinality();
      int from = wanted.nextSetBit(0);
      while (from >= 0) {
        int to = wanted.nextClearBit(from);
        for (int chunk = from / 512; chunk * 512 < to; chunk++) {
          sent += Math.min(512, stripe.unit(helper).length() - chunk * 512L) + 4;
        }
        from = wanted.nextSetBit(to);
      }
    }
    assertThat(forecast.bytesRead()).isEqualTo(read);
    assertThat(forecast.bytesSent()).isEqualTo(sent).isGreaterThan(read);
  }

  @Test
  void repairsThatReadWhatWasPromisedAddUpByLosses() {
    ErasureCodec codec = Codecs.parse("rs-3-2");
    EventRecorder events = new EventRecorder();
    List<RepairForecast> forecasts = new ArrayList<>();
    UnitSet[] losses = {UnitSet.of(0), UnitSet.of(4), UnitSet.of(1, 3)};
    for (int index = 0; index < losses.length; index++) {
      LocatedStripe stripe = full(codec, index, MIB);
      RepairForecast forecast = RepairForecast.of("/f", stripe, losses[index]);
      forecasts.add(forecast);
      // Found to be in work by somebody else first, which costs nothing.
      events.repaired(
          new RepairOutcome.Postponed(stripe, RepairOutcome.Reason.IN_WORK, "wait", 0), 1);
      events.repaired(repaired(stripe, losses[index], forecast.bytesRead()), 1);
    }
    DemoReport report = new DemoReport();
    RepairComparison comparison = new RepairComparison(codec, report);
    comparison.compare(forecasts, events.attempts());
    assertThat(report.otherThanPromised).isEmpty();
    assertThat(report.bytesReadForRepair).isEqualTo(9 * MIB);
    assertThat(report.repairs)
        .containsEntry(1, new Repairs(2, 2 * MIB, 6 * MIB, 6 * MIB))
        .containsEntry(2, new Repairs(1, 2 * MIB, 3 * MIB, 3 * MIB));
    assertThat(report.singleLosses)
        .containsExactly(
            new DemoReport.SingleLoss(0, 1, 3, 3), new DemoReport.SingleLoss(4, 1, 3, 3));
    assertThat(shown(comparison, report.bytesSentByRecipe, 0))
        .contains("1 of 5", "2 of 5", "0, data", "4, parity", "just what its recipe names")
        .doesNotContain("Other than by recipe", "moved");
  }

  @Test
  void whatReadOtherThanPromisedIsNamedWithWhatIsKnownOfIt() {
    ErasureCodec codec = Codecs.parse("rs-3-2");
    EventRecorder events = new EventRecorder();
    List<RepairForecast> forecasts = new ArrayList<>();
    for (int index = 0; index < 4; index++) {
      forecasts.add(RepairForecast.of("/f", full(codec, index, MIB), UnitSet.of(0, 1)));
    }
    LocatedStripe once = forecasts.get(0).stripe();
    events.repaired(repaired(once, UnitSet.of(0, 1), 4 * MIB), 2);
    LocatedStripe twice = forecasts.get(1).stripe();
    events.repaired(repaired(twice, UnitSet.of(0), 3 * MIB), 1);
    events.repaired(repaired(twice, UnitSet.of(1), 3 * MIB), 1);
    LocatedStripe half = forecasts.get(2).stripe();
    events.repaired(repaired(half, UnitSet.of(0), MIB), 1);

    events.repaired(repaired(full(codec, 9, MIB), UnitSet.of(2), MIB), 1);

    DemoReport report = new DemoReport();
    RepairComparison comparison = new RepairComparison(codec, report);
    comparison.compare(forecasts, events.attempts());
    List<OtherThanPromised> other = report.otherThanPromised;
    assertThat(other).hasSize(5);
    assertThat(other.subList(0, 4)).allMatch(one -> one.bytesPromised() == 3 * MIB);
    assertThat(other.get(4).why()).startsWith("the damage did not touch it: Units {2} of stripe 9");
    assertThat(other.get(0).why()).contains("failed on the way");
    assertThat(other.get(1).why()).startsWith("it was repaired in 2 passes: Units {0} of");
    assertThat(other.get(1).bytesRead()).isEqualTo(6 * MIB);
    assertThat(other.get(2).why()).contains("not the units {0, 1}");
    assertThat(other.get(3).why()).isEqualTo("it was not repaired");
    assertThat(shown(comparison, 1, 2))
        .contains("Other than by recipe: /f stripe 1, units [0, 1] lost, read 6291456 bytes")
        .contains("2 units were moved")
        .doesNotContain("just what its recipe names");
  }

  private static String shown(RepairComparison comparison, long sent, long moved) {
    comparison.report().bytesSentForRepair = sent;
    comparison.report().unitsMovedDuringRepair = moved;
    StringWriter out = new StringWriter();
    comparison.show(new Console(new PrintWriter(out), false));
    return out.toString();
  }
}
