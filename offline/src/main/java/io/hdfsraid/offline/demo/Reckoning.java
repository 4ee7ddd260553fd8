package io.hdfsraid.offline.demo;

import io.hdfsraid.erasurecode.CodecFacts;
import io.hdfsraid.erasurecode.ErasureCodec;
import io.hdfsraid.offline.demo.DemoReport.OtherThanPromised;
import io.hdfsraid.offline.demo.DemoReport.Repairs;
import io.hdfsraid.offline.demo.DemoReport.SingleLoss;
import io.hdfsraid.offline.demo.Witness.Pass;
import io.hdfsraid.raidshell.Screen;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;

/** What the repairs read, held against what the recipes promised. */
final class Reckoning {
  private final ErasureCodec codec;
  private final List<Entry> entries;

  Reckoning(ErasureCodec codec, List<Promise> promises, Witness witness) {
    this.codec = codec;
    this.entries =
        promises.stream()
            .map(promise -> new Entry(promise, witness.passes(promise.stripe())))
            .toList();
  }

  /** One stripe: what was promised, and how it was repaired. */
  private record Entry(Promise promise, List<Pass> passes) {
    long bytesRead() {
      return passes.stream().mapToLong(Pass::bytesRead).sum();
    }

    boolean kept() {
      return bytesRead() == promise.bytesRead();
    }

    /** As far as that can be told from what came of it. */
    String why() {
      if (passes.isEmpty()) {
        return "it was not repaired";
      }
      if (passes.size() > 1) {
        return "it was repaired in %d passes: %s"
            .formatted(
                passes.size(),
                String.join("; then: ", passes.stream().map(Pass::message).toList()));
      }
      Pass only = passes.get(0);
      return only.units().equals(promise.lost())
          ? "a source or a target failed on the way, and it was planned anew; the log says which"
          : "not the units %s were rebuilt at once: %s".formatted(promise.lost(), only.message());
    }
  }

  SortedMap<Integer, Repairs> byLosses() {
    SortedMap<Integer, Repairs> byLosses = new TreeMap<>();
    for (Entry entry : entries) {
      Promise promise = entry.promise();
      byLosses.merge(
          promise.lost().size(),
          new Repairs(1, promise.bytesRebuilt(), promise.bytesRead(), entry.bytesRead()),
          Repairs::plus);
    }
    return byLosses;
  }

  /** Of full stripes, for only of them the table of codecs speaks. */
  List<SingleLoss> singleLosses() {
    List<Double> table = CodecFacts.of(codec).readsByUnit();
    SortedMap<Integer, SingleLoss> byUnit = new TreeMap<>();
    for (Entry entry : entries) {
      Promise promise = entry.promise();
      if (promise.lost().size() == 1 && promise.ofFullStripe()) {
        int unit = promise.lost().toArray()[0];
        byUnit.merge(
            unit,
            new SingleLoss(unit, 1, promise.blocks(entry.bytesRead()), table.get(unit)),
            SingleLoss::plus);
      }
    }
    return List.copyOf(byUnit.values());
  }

  List<OtherThanPromised> otherThanPromised() {
    return entries.stream()
        .filter(entry -> !entry.kept())
        .map(
            entry ->
                new OtherThanPromised(
                    entry.promise().path(),
                    entry.promise().stripe().index(),
                    entry.promise().lost().stream().boxed().toList(),
                    entry.promise().bytesRead(),
                    entry.bytesRead(),
                    entry.why()))
        .toList();
  }

  long bytesRead() {
    return entries.stream().mapToLong(Entry::bytesRead).sum();
  }

  /** By DataNodes, if all promises are kept. */
  long bytesSentByRecipe() {
    return entries.stream().mapToLong(entry -> entry.promise().bytesSent()).sum();
  }

  /**
   * Shows it.
   *
   * @param bytesSent as the DataNodes counted them while repairs ran
   * @param unitsMoved meanwhile, and so among these bytes
   */
  void show(Story story, long bytesSent, long unitsMoved) {
    List<List<String>> rows = new ArrayList<>();
    byLosses()
        .forEach(
            (losses, repairs) ->
                rows.add(
                    List.of(
                        "%d of %d".formatted(losses, codec.shape().units()),
                        Integer.toString(repairs.stripes()),
                        Screen.bytes(repairs.bytesRebuilt()),
                        Screen.bytes(repairs.bytesRead()),
                        Screen.bytes(repairs.bytesPromised()))));
    story.table(
        List.of("UNITS LOST", "STRIPES", "REBUILT", "READ", "PROMISED BY THE RECIPES"), rows);
    showSingleLosses(story);
    List<OtherThanPromised> other = otherThanPromised();
    if (other.isEmpty()) {
      story.say("Every repair read just the bytes that the recipe for its losses names");
    }
    for (OtherThanPromised one : other) {
      story.say(
          "Other than by recipe: %s stripe %d, units %s lost, read %d bytes and not %d: %s"
              .formatted(
                  one.path(),
                  one.stripe(),
                  one.lost(),
                  one.bytesRead(),
                  one.bytesPromised(),
                  one.why()));
    }
    story.say(
        "The DataNodes counted %s sent, of whole chunks of 512 bytes with checksums; by the recipes it is %s%s"
            .formatted(
                exact(bytesSent),
                exact(bytesSentByRecipe()),
                unitsMoved == 0
                    ? ""
                    : ", and %d units were moved meanwhile to spread stripes"
                        .formatted(unitsMoved)));
  }

  private void showSingleLosses(Story story) {
    List<SingleLoss> single = singleLosses();
    if (single.isEmpty()) {
      return;
    }
    CodecFacts facts = CodecFacts.of(codec);
    story.say(
        "Of full stripes that lost one unit, the blocks read for it, beside the table of codecs (bin/raidshell codecs):");
    story.table(
        List.of("LOST UNIT", "STRIPES", "BLOCKS READ", "IN THE TABLE"),
        single.stream()
            .map(
                one ->
                    List.of(
                        "%d, %s"
                            .formatted(
                                one.unit(), codec.shape().isParity(one.unit()) ? "parity" : "data"),
                        Integer.toString(one.stripes()),
                        blocks(one.blocksRead()),
                        blocks(one.blocksInTable())))
            .toList());
    story.say(
        "The table's mean over all %d units is %s, of %d blocks of data"
            .formatted(facts.units(), blocks(facts.averageReads()), codec.shape().dataUnits()));
  }

  private static String blocks(double blocks) {
    return String.format(Locale.ROOT, "%.2f", blocks);
  }

  private static String exact(long bytes) {
    return String.format(Locale.ROOT, "%,d bytes", bytes);
  }
}
