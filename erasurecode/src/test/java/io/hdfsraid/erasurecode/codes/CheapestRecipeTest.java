// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.erasurecode.codes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsraid.erasurecode.ErasureCodec;
import io.hdfsraid.erasurecode.ReadCost;
import io.hdfsraid.erasurecode.RebuildRecipe;
import io.hdfsraid.erasurecode.RebuildRecipe.Chunk;
import io.hdfsraid.erasurecode.UnitSet;
import io.hdfsraid.erasurecode.algebra.Span;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CheapestRecipeTest {
  private static final ErasureCodec XORBAS = Codecs.parse("lrc-xorbas-10-6");
  private static final ErasureCodec AZURE = Codecs.parse("lrc-azure-12-2-2");

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "3     | 0 1 2 4 14",
        "11    | 10 12 13 14 15",
        "14    | 0 1 2 3 4",
        "0 5   | 1 2 3 4 6 7 8 9 14 15",
        // S1 first, from its own group, then P1 from the implied one: S1's helpers are read once.
        "10 14 | 0 1 2 3 4 11 12 13 15"
      })
  void localGroupsArePeeledAndSharedHelpersReadOnce(String lost, String helpers) {
    assertThat(recipe(XORBAS, units(lost)).helpers()).isEqualTo(units(helpers));
  }

  @Test
  void aLightRepairBesideAHeavyOneReadsNothingMore() {
    assertThat(recipe(AZURE, UnitSet.of(0, 1)).reads()).hasSize(12);
    assertThat(recipe(AZURE, UnitSet.of(0, 1, 6)).reads()).hasSize(12);
    assertThat(recipe(AZURE, UnitSet.of(0, 14)).reads()).hasSize(12);
    assertThat(recipe(XORBAS, UnitSet.of(0, 1, 5)).reads()).hasSizeLessThanOrEqualTo(10);
  }

  @Test
  void oneGroupOfTwoIsRebuiltAloneFromItsPartOfTheRecipe() {
    RebuildRecipe part = recipe(XORBAS, UnitSet.of(0, 5)).only(List.of(new Chunk(5, 0)));
    assertThat(part.helpers()).isEqualTo(UnitSet.of(6, 7, 8, 9, 15));
  }

  /** What planning relies on to spare itself a search. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "lrc-xorbas-10-6", "lrc-azure-4-2-2", "lrc-azure-6-2-2", "lrc-azure-8-2-2",
        "lrc-azure-12-2-2", "lrc-azure-16-2-2", "lrc-azure-30-2-2", "lrc-azure-6-3-2",
        "lrc-azure-8-4-2", "lrc-azure-12-4-2"
      })
  void noParityCheckIsLighterThanTheLocalOnes(String name) {
    LinearCode code = ((LinearCodec) Codecs.parse(name)).code();
    int lightest = code.checks().stream().mapToInt(check -> check.chunks().size()).min().orElse(0);
    UnitSet all = UnitSet.all(code.shape());
    int[] helpers =
        all.stream()
            .map(
                unit ->
                    CheapestHelpers.find(
                            code, UnitSet.of(unit), all.without(unit), ReadCost.UNIFORM)
                        .size())
            .toArray();
    assertThat(Arrays.stream(helpers).min()).hasValue(lightest - 1);
  }

  @Test
  void aUnitThatIsOnlyUnavailableIsGoneRound() {
    // S1 may not be read: it is replaced by P1..P4 and S2.
    UnitSet available = UnitSet.all(XORBAS.shape()).minus(UnitSet.of(0, 14));
    assertThat(XORBAS.recipe(UnitSet.of(0), available, ReadCost.UNIFORM).orElseThrow().helpers())
        .isEqualTo(UnitSet.of(1, 2, 3, 4, 10, 11, 12, 13, 15));
  }

  @Test
  void fewUnitsAreEnoughWhenTheyDetermineWhatIsLost() {
    UnitSet group = UnitSet.of(1, 2, 3, 4, 14);
    assertThat(XORBAS.recipe(UnitSet.of(0), group, ReadCost.UNIFORM)).isPresent();
    assertThat(XORBAS.recipe(UnitSet.of(5), group, ReadCost.UNIFORM)).isEmpty();
    assertThat(XORBAS.recipe(UnitSet.of(0), group.without(3), ReadCost.UNIFORM)).isEmpty();
  }

  @Test
  void dearUnitsAreLeftUnread() {
    ErasureCodec codec = Codecs.parse("rs-10-4");
    UnitSet dear = UnitSet.of(1, 7, 12);
    ReadCost cost = unit -> dear.contains(unit) ? 10 : 1;
    UnitSet all = UnitSet.all(codec.shape());
    assertThat(codec.recipe(UnitSet.of(0), all.without(0), cost).orElseThrow().helpers())
        .isEqualTo(all.without(0).minus(dear));
  }

  @ParameterizedTest
  @CsvSource({
    "lrc-azure-6-2-2, 1",
    "lrc-azure-6-2-2, 2",
    "lrc-azure-6-2-2, 3",
    "lrc-azure-6-2-2, 4"
  })
  void noOtherSetOfUnitsIsCheaper(String name, int losses) {
    compareWithAllSets(name, losses, 1);
  }

  @ParameterizedTest
  @CsvSource({
    "lrc-xorbas-10-6,  1, 1", "lrc-xorbas-10-6,  2, 8", "lrc-xorbas-10-6,  3, 24",
    "lrc-azure-12-2-2, 1, 1", "lrc-azure-12-2-2, 2, 8", "lrc-azure-12-2-2, 3, 24"
  })
  @Tag("full")
  void noOtherSetOfUnitsIsCheaperInLargeCodes(String name, int losses, int everyNth) {
    compareWithAllSets(name, losses, everyNth);
  }

  private static void compareWithAllSets(String name, int losses, int everyNth) {
    ErasureCodec codec = Codecs.parse(name);
    int units = codec.shape().units();
    UnitSet all = UnitSet.all(codec.shape());
    Random random = new Random(5);
    List<UnitSet> patterns = Patterns.ofSize(losses, units);
    for (int i = 0; i < patterns.size(); i += everyNth) {
      UnitSet lost = patterns.get(i);
      int[] left = all.minus(lost).toArray();
      UnitSet oneAway = all.minus(lost).without(left[random.nextInt(left.length)]);
      double[] costs = random.doubles(units, 1, 10).toArray();
      cheapest(codec, lost, all.minus(lost), ReadCost.UNIFORM);
      cheapest(codec, lost, oneAway, ReadCost.UNIFORM);
      cheapest(codec, lost, all.minus(lost), unit -> costs[unit]);
    }
  }

  private static void cheapest(ErasureCodec codec, UnitSet lost, UnitSet available, ReadCost cost) {
    Optional<RebuildRecipe> recipe = codec.recipe(lost, available, cost);
    if (recipe.isPresent()) {
      double price = recipe.get().helpers().stream().mapToDouble(cost::perByte).sum();
      int[] units = available.toArray();
      for (int mask = 0; mask < 1 << units.length; mask++) {
        int set = mask;
        int[] helpers =
            IntStream.range(0, units.length)
                .filter(i -> (set >> i & 1) != 0)
                .map(i -> units[i])
                .toArray();
        if (Arrays.stream(helpers).mapToDouble(cost::perByte).sum() < price - 1e-9) {
          assertThat(determines(codec, helpers, lost))
              .as("%s from %s instead of %s", lost, Arrays.toString(helpers), recipe.get())
              .isFalse();
        }
      }
    }
  }

  private static boolean determines(ErasureCodec codec, int[] helpers, UnitSet lost) {
    LinearCode code = ((LinearCodec) codec).code();
    Span span = new Span(code.dataChunks());
    Arrays.stream(helpers).forEach(unit -> span.add(code.generator().row(unit)));
    return lost.stream().allMatch(unit -> span.contains(code.generator().row(unit)));
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, -1, Double.NaN, Double.POSITIVE_INFINITY})
  void readingCostsSomethingAndNotTheWorld(double cost) {
    assertThatThrownBy(
            () -> AZURE.recipe(UnitSet.of(0), UnitSet.range(1, 16), unit -> unit == 9 ? cost : 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(
            "Reading must cost more than 0 and less than infinity, but unit 9 costs");
  }

  @Test
  void recipesAtUniformCostAreRemembered() {
    UnitSet lost = UnitSet.of(2, 3);
    assertThat(recipe(AZURE, lost)).isSameAs(recipe(AZURE, UnitSet.of(3, 2)));
  }

  @Test
  void aSinglePriceForAllChangesNothing() {
    Patterns.upToSize(2, 16)
        .forEach(
            lost -> {
              UnitSet available = UnitSet.all(AZURE.shape()).minus(lost);
              assertThat(AZURE.recipe(lost, available, unit -> 7.5).orElseThrow().reads())
                  .isEqualTo(recipe(AZURE, lost).reads());
            });
  }

  private static RebuildRecipe recipe(ErasureCodec codec, UnitSet lost) {
    return codec
        .recipe(lost, UnitSet.all(codec.shape()).minus(lost), ReadCost.UNIFORM)
        .orElseThrow();
  }

  private static UnitSet units(String list) {
    return UnitSet.of(Arrays.stream(list.split(" ")).mapToInt(Integer::parseInt));
  }
}
