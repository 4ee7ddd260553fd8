package io.hdfsraid.offline.demo;

import io.hdfsraid.erasurecode.CodecFacts;
import io.hdfsraid.erasurecode.ErasureCodec;
import io.hdfsraid.offline.demo.DemoReport.OtherThanPromised;
import io.hdfsraid.offline.demo.DemoReport.Repairs;
import io.hdfsraid.offline.demo.DemoReport.SingleLoss;
import io.hdfsraid.offline.demo.Witness.Pass;
import io.hdfsraid.raidnode.catalog.StripeKey;
import io.hdfsraid.raidshell.Screen;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** What the repairs read, held against what the recipes promised. */
final class Reckoning {
  private final ErasureCodec codec;
  private final List<Entry> entries;

  /** Repairs of stripes that nobody meant to break. */
  private final Map<StripeKey, List<Pass>> unexpected;

  Reckoning(ErasureCodec codec, List<Promise> promises, Witness witness) {
    this.codec = codec;
    this.unexpected = witness.passes();
    this.entries = new ArrayList<>();
    for (Promise promise : promises) {
      List<Pass> passes = unexpected.remove(Witness.key(promise.stripe()));
      entries.add(new Entry(promise, passes == null ? List.of() : passes));
    }
  }

  /** One stripe: what was promised, and how it was repaired. */
  private record Entry(Promise promise, List<Pass> passes) {
    long bytesRead() {
      return read(passes);
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
        return "it was repaired in %d passes: %s".formatted(passes.size(), messages(passes));
      }
      Pass only = passes.get(0);
      return only.units().equals(promise.lost())
          ? "a source or a target failed on the way, and it was planned anew; the log says which"
          : "not the units %s were rebuilt at once: %s".formatted(promise.lost(), only.message());
    }
  }

  private static long read(List<Pass> passes) {
    return passes.stream().mapToLong(Pass::bytesRead).sum();
  }

  private static String messages(List<Pass> passes) {
    return String.join("; then: ", passes.stream().map(Pass::message).toList());
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
    List<OtherThanPromised> other = new ArrayList<>();
    for (Entry entry : entries) {
      if (!entry.kept()) {
        other.add(
            new OtherThanPromised(
                entry.promise().path(),
                entry.promise().stripe().index(),
                entry.promise().lost().stream().boxed().toList(),
                entry.promise().bytesRead(),
                entry.bytesRead(),
                entry.why()));
      }
    }
    unexpected.forEach(
        (stripe, passes) ->
            other.add(
                new OtherThanPromised(
                    "parity inode " + stripe.parityInode(),
                    stripe.index(),
                    List.of(),
                    0,
                    read(passes),
                    "the damage did not touch it: " + messages(passes))));
    return other;
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
    story.say(
        "What was read for that, beside what the recipes of %s read for just these losses:"
            .formatted(codec.name()));
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
    story.table(List.of("UNITS LOST", "STRIPES", "REBUILT", "READ", "BY RECIPE"), rows);
    showSingleLosses(story);
    List<OtherThanPromised> other = otherThanPromised();
    if (other.isEmpty()) {
      story.say("Each of the %d repairs read just what its recipe names".formatted(entries.size()));
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
        "Counted at the DataNodes: %s sent, with checksums and in chunks of 512 bytes; reckoned from the recipes: %s%s"
            .formatted(
                exact(bytesSent),
                exact(bytesSentByRecipe()),
                unitsMoved == 0
                    ? ""
                    : "; and %d units were moved meanwhile to spread stripes"
                        .formatted(unitsMoved)));
  }

  private void showSingleLosses(Story story) {
    List<SingleLoss> single = singleLosses();
    if (single.isEmpty()) {
      return;
    }
    story.say(
        "Blocks read for a unit that was the only one lost of a full stripe, beside the table of codecs:");
    story.table(
        List.of("LOST UNIT", "STRIPES", "BLOCKS READ", "BY TABLE"),
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
    CodecFacts facts = CodecFacts.of(codec);
    story.say(
        "The table (bin/raidshell codecs) has %s for the %d units of %s, of which %d hold data"
            .formatted(range(facts), facts.units(), codec.name(), codec.shape().dataUnits()));
  }

  private static String range(CodecFacts facts) {
    double least = Collections.min(facts.readsByUnit());
    double most = Collections.max(facts.readsByUnit());
    return least == most
        ? blocks(least)
        : "%s to %s, mean %s,".formatted(blocks(least), blocks(most), blocks(facts.averageReads()));
  }

  private static String blocks(double blocks) {
    return String.format(Locale.ROOT, "%.2f", blocks);
  }

  private static String exact(long bytes) {
    return String.format(Locale.ROOT, "%,d bytes", bytes);
  }
}
