// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.demo;

import io.hdfsraid.demo.DemoReport.OtherThanPromised;
import io.hdfsraid.demo.DemoReport.Repairs;
import io.hdfsraid.demo.DemoReport.SingleLoss;
import io.hdfsraid.demo.EventRecorder.Attempt;
import io.hdfsraid.erasurecode.CodecFacts;
import io.hdfsraid.erasurecode.ErasureCodec;
import io.hdfsraid.erasurecode.UnitSet;
import io.hdfsraid.raidnode.catalog.StripeKey;
import io.hdfsraid.raidshell.command.Screen;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Compares the bytes that repairs have read with the forecasts, and writes both to the report. */
record RepairComparison(ErasureCodec codec, DemoReport report) {

  /**
   * Fills in the figures of the repairs.
   *
   * @param attempts all attempts at repairs, by stripe
   */
  void compare(List<RepairForecast> forecasts, Map<StripeKey, List<Attempt>> attempts) {
    List<Double> table = CodecFacts.of(codec).readsByUnit();
    Map<StripeKey, List<Attempt>> unexpected = new TreeMap<>(attempts);
    SortedMap<Integer, SingleLoss> singles = new TreeMap<>();
    report.repairs = new TreeMap<>();
    report.otherThanPromised = new ArrayList<>();
    report.bytesSentByRecipe = forecasts.stream().mapToLong(RepairForecast::bytesSent).sum();
    report.bytesReadForRepair = attempts.values().stream().mapToLong(RepairComparison::read).sum();
    for (RepairForecast forecast : forecasts) {
      UnitSet lost = forecast.lost();
      List<Attempt> made = unexpected.remove(EventRecorder.key(forecast.stripe()));
      long read = made == null ? 0 : read(made);
      report.repairs.merge(
          lost.size(),
          new Repairs(1, forecast.bytesRebuilt(), forecast.bytesRead(), read),
          Repairs::plus);
      if (lost.size() == 1 && RepairForecast.isFull(forecast.stripe())) {
        int unit = lost.toArray()[0];
        double blocks = (double) read / forecast.stripe().stripeLength();
        singles.merge(unit, new SingleLoss(unit, 1, blocks, table.get(unit)), SingleLoss::plus);
      }
      if (read != forecast.bytesRead()) {
        report.otherThanPromised.add(
            new OtherThanPromised(
                forecast.path(),
                forecast.stripe().index(),
                lost.stream().boxed().toList(),
                forecast.bytesRead(),
                read,
                why(lost, made)));
      }
    }
    report.singleLosses = List.copyOf(singles.values());
    unexpected.forEach(
        (stripe, made) ->
            report.otherThanPromised.add(
                new OtherThanPromised(
                    "parity inode " + stripe.parityInode(),
                    stripe.index(),
                    List.of(),
                    0,
                    read(made),
                    "the damage did not touch it: " + messages(made))));
  }

  private static long read(List<Attempt> attempts) {
    return attempts.stream().mapToLong(Attempt::bytesRead).sum();
  }

  private static String messages(List<Attempt> attempts) {
    return String.join("; then: ", attempts.stream().map(Attempt::message).toList());
  }

  private static String why(UnitSet lost, List<Attempt> made) {
    if (made == null) {
      return "it was not repaired";
    }
    if (made.size() > 1) {
      return "it was repaired in %d passes: %s".formatted(made.size(), messages(made));
    }
    return made.get(0).repaired().equals(lost)
        ? "a source or a target failed on the way, and it was planned anew; the log says which"
        : "not the units %s were rebuilt at once: %s".formatted(lost, messages(made));
  }

  void show(Console console) {
    console.line(
        "What was read for that, beside what the recipes of %s read for just these losses:"
            .formatted(codec.name()));
    List<List<String>> rows = new ArrayList<>();
    report.repairs.forEach(
        (losses, repairs) ->
            rows.add(
                List.of(
                    "%d of %d".formatted(losses, codec.shape().units()),
                    Integer.toString(repairs.stripes()),
                    Screen.bytes(repairs.bytesRebuilt()),
                    Screen.bytes(repairs.bytesRead()),
                    Screen.bytes(repairs.bytesPromised()))));
    console.table(List.of("UNITS LOST", "STRIPES", "REBUILT", "READ", "BY RECIPE"), rows);
    if (!report.singleLosses.isEmpty()) {
      showSingleLosses(console);
    }
    if (report.otherThanPromised.isEmpty()) {
      int repairs = report.repairs.values().stream().mapToInt(Repairs::stripes).sum();
      console.line("Each of the %d repairs read just what its recipe names".formatted(repairs));
    }
    report.otherThanPromised.forEach(
        one ->
            console.line(
                "Other than by recipe: %s stripe %d, units %s lost, read %d bytes and not %d: %s"
                    .formatted(
                        one.path(),
                        one.stripe(),
                        one.lost(),
                        one.bytesRead(),
                        one.bytesPromised(),
                        one.why())));
    console.line(
        String.format(
            Locale.ROOT,
            "Counted at the DataNodes: %,d bytes sent, with checksums and in chunks of 512 bytes;"
                + " reckoned from the recipes: %,d bytes%s",
            report.bytesSentForRepair,
            report.bytesSentByRecipe,
            report.unitsMovedDuringRepair == 0
                ? ""
                : "; and %d units were moved meanwhile to spread stripes"
                    .formatted(report.unitsMovedDuringRepair)));
  }

  private void showSingleLosses(Console console) {
    console.line(
        "Blocks read for a unit that was the only one lost of a full stripe, beside the table of"
            + " codecs:");
    console.table(
        List.of("LOST UNIT", "STRIPES", "BLOCKS READ", "BY TABLE"),
        report.singleLosses.stream()
            .map(
                one ->
                    List.of(
                        one.unit() + (codec.shape().isParity(one.unit()) ? ", parity" : ", data"),
                        Integer.toString(one.stripes()),
                        blocks(one.blocksRead()),
                        blocks(one.blocksInTable())))
            .toList());
    CodecFacts facts = CodecFacts.of(codec);
    double least = Collections.min(facts.readsByUnit());
    double most = Collections.max(facts.readsByUnit());
    console.line(
        "The table (bin/raidshell codecs) has %s for the %d units of %s, of which %d hold data"
            .formatted(
                least == most
                    ? blocks(least)
                    : "%s to %s, mean %s,"
                        .formatted(blocks(least), blocks(most), blocks(facts.averageReads())),
                facts.units(),
                codec.name(),
                codec.shape().dataUnits()));
  }

  private static String blocks(double blocks) {
    return String.format(Locale.ROOT, "%.2f", blocks);
  }
}
