// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.erasurecode.codes;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.erasurecode.ErasureCodec;
import io.hdfsraid.erasurecode.ReadCost;
import io.hdfsraid.erasurecode.RebuildRecipe;
import io.hdfsraid.erasurecode.RebuildRecipe.Chunk;
import io.hdfsraid.erasurecode.UnitSet;
import io.hdfsraid.erasurecode.algebra.Span;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Several lost units of a sub-packetised code are rebuilt from a few of its checks together. */
class CheckUnionsTest {

  /**
   * Chunks read, and how many pairs of lost units need so many. For α = 2 these are the figures of
   * the paper: less is read for 26 of 91 pairs, which is 28.6 %, and 7.4 % less in the mean. For
   * larger α the paper reads k whole units.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "less-10-4-2 | 14=6, 15=20, 20=65",
        "less-10-4   | 30=24, 32=54, 38=13",
        "less-6-3    | 16=12, 17=18, 18=6",
        "less-12-4   | 36=54, 38=48, 45=12, 46=6"
      })
  void twoLostUnitsOfDifferentGroupsReadLessThanKWholeUnits(String name, String expected) {
    ErasureCodec codec = Codecs.parse(name);
    Map<Integer, Long> pairsByReads =
        Patterns.ofSize(2, codec.shape().units()).stream()
            .collect(
                Collectors.groupingBy(
                    lost -> recipe(codec, lost).reads().size(),
                    TreeMap::new,
                    Collectors.counting()));
    assertThat(pairsByReads).hasToString("{" + expected + "}");
  }

  /** Up to 4 of 5 and of 11 checks, and up to 3 of 42: the next would be 100,000 more. */
  @ParameterizedTest
  @CsvSource({"less-10-4, 31", "hitchhiker-20-9, 562", "hitchhiker-60-40, 12384"})
  void noMoreUnionsAreTriedThanTimeAllows(String name, int unions) {
    LinearCode code = ((LinearCodec) Codecs.parse(name)).code();
    double[] nothingMissing = new double[code.chunks()];
    assertThat(CheckUnions.promisingFirst(code.checks(), List.of(), nothingMissing))
        .hasSize(unions);
  }

  /** All that is read of (4,2) are 8 or 10 chunks: so every set of chunks can be tried. */
  @ParameterizedTest
  @ValueSource(strings = {"less-4-2", "hitchhiker-4-2"})
  void noOtherSetOfChunksIsCheaperInTheSmallestLessAndHitchhiker(String name) {
    ErasureCodec codec = Codecs.parse(name);
    Random random = new Random(4);
    UnitSet all = UnitSet.all(codec.shape());
    Patterns.upToSize(2, all.size())
        .forEach(
            lost -> {
              cheapest(codec, lost, all.minus(lost), ReadCost.UNIFORM);
              double[] costs = random.doubles(all.size(), 1, 2).toArray();
              cheapest(codec, lost, all.minus(lost), unit -> costs[unit]);
              for (int gone : lost.size() == 1 ? all.minus(lost).toArray() : new int[0]) {
                cheapest(codec, lost, all.minus(lost).without(gone), ReadCost.UNIFORM);
              }
            });
  }

  private static void cheapest(ErasureCodec codec, UnitSet lost, UnitSet available, ReadCost cost) {
    RebuildRecipe recipe = codec.recipe(lost, available, cost).orElseThrow();
    double price = recipe.reads().stream().mapToDouble(read -> cost.perByte(read.unit())).sum();
    List<Integer> chunks = chunks(codec, available);
    for (int mask = 0; mask < 1 << chunks.size(); mask++) {
      int set = mask;
      List<Integer> helpers =
          IntStream.range(0, chunks.size())
              .filter(i -> (set >> i & 1) != 0)
              .mapToObj(chunks::get)
              .toList();
      double sum =
          helpers.stream().mapToDouble(chunk -> cost.perByte(chunk / codec.subUnits())).sum();
      if (sum < price - 1e-9) {
        assertThat(determines(codec, helpers, lost))
            .as(
                "%s lost %s: %s for %.3f instead of %s for %.3f",
                codec, lost, helpers, sum, recipe, price)
            .isFalse();
      }
    }
  }

  private static boolean determines(ErasureCodec codec, List<Integer> helpers, UnitSet lost) {
    LinearCode code = ((LinearCodec) codec).code();
    Span span = new Span(code.dataChunks());
    helpers.forEach(chunk -> span.add(code.generator().row(chunk)));
    return chunks(codec, lost).stream()
        .allMatch(chunk -> span.contains(code.generator().row(chunk)));
  }

  private static List<Integer> chunks(ErasureCodec codec, UnitSet units) {
    return units.stream()
        .flatMap(unit -> IntStream.range(unit * codec.subUnits(), (unit + 1) * codec.subUnits()))
        .boxed()
        .toList();
  }

  /**
   * The lost unit's own chunk a of Hitchhiker needs k chunks, and not the recipe of both chunks.
   */
  @Test
  void aPartIsPlannedAnewWhereThatReadsLess() {
    ErasureCodec codec = Codecs.parse("hitchhiker-10-4");
    for (int unit = 0; unit < 10; unit++) {
      RebuildRecipe whole = recipe(codec, UnitSet.of(unit));
      assertThat(whole.reads()).hasSize(13);
      assertThat(whole.only(List.of(new Chunk(unit, 0))).reads()).hasSize(10);
      assertThat(whole.only(List.of(new Chunk(unit, 1))).reads()).hasSize(10);
    }
  }

  /** Every combination of wanted chunks gives the bytes that the whole recipe gives. */
  @ParameterizedTest
  @ValueSource(strings = {"less-6-3", "hitchhiker-6-3", "crs-good-6-3"})
  void everyPartOfARecipeGivesTheBytesOfTheWhole(String name) {
    ErasureCodec codec = Codecs.parse(name);
    Random random = new Random(9);
    int[] lengths = random.ints(6, 0, 90).toArray();
    Stripe stripe = Stripe.encode(codec, 7, random, lengths);
    for (UnitSet lost : List.of(UnitSet.of(2), UnitSet.of(0, 7), UnitSet.of(1, 3, 8))) {
      RebuildRecipe whole = recipe(codec, lost);
      List<Chunk> rebuilt =
          chunks(codec, lost).stream()
              .map(chunk -> new Chunk(chunk / codec.subUnits(), chunk % codec.subUnits()))
              .toList();
      for (int round = 0; round < 100; round++) {
        List<Chunk> wanted = new ArrayList<>(rebuilt);
        wanted.removeIf(chunk -> random.nextInt(3) > 0);
        RebuildRecipe part = whole.only(wanted);
        assertThat(part.reads()).hasSizeLessThanOrEqualTo(whole.reads().size());
        stripe.assertChunksRebuiltBy(part, wanted, "%s lost %s".formatted(name, lost));
      }
    }
  }

  private static RebuildRecipe recipe(ErasureCodec codec, UnitSet lost) {
    return codec
        .recipe(lost, UnitSet.all(codec.shape()).minus(lost), ReadCost.UNIFORM)
        .orElseThrow();
  }
}
