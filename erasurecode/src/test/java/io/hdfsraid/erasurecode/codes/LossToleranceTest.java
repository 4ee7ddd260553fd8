// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.erasurecode.codes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsraid.erasurecode.ErasureCodec;
import io.hdfsraid.erasurecode.UnitSet;
import io.hdfsraid.erasurecode.algebra.Gf256;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class LossToleranceTest {
  static List<ErasureCodec> codecs() {
    return Codecs.all();
  }

  /** Huang et al. give 86 % of 4 losses for (6,2,2); the rest was counted for this project. */
  @ParameterizedTest
  @CsvSource({
    "lrc-xorbas-10-6,  4, 1820, 1820",
    "lrc-xorbas-10-6,  5, 4363, 4368",
    "lrc-xorbas-10-6,  6, 7351, 8008",
    "lrc-azure-6-2-2,  3, 120,  120",
    "lrc-azure-6-2-2,  4, 180,  210",
    "lrc-azure-12-2-2, 3, 560,  560",
    "lrc-azure-12-2-2, 4, 1568, 1820",
    "lrc-azure-12-4-2, 3, 816,  816",
    "lrc-azure-12-4-2, 4, 3000, 3060",
    "lrc-azure-12-4-2, 5, 7104, 8568",
    "lrc-azure-12-4-2, 6, 7808, 18564",
    "rs-10-4,          4, 1001, 1001",
    "rs-10-4,          5, 0,    2002"
  })
  void asManyPatternsAreBorneAsWasPublished(String name, int losses, int borne, int patterns) {
    ErasureCodec codec = Codecs.parse(name);
    List<UnitSet> all = Patterns.ofSize(losses, codec.shape().units());
    assertThat(all).hasSize(patterns);
    assertThat(all.stream().filter(lost -> codec.furtherLosses(lost) >= 0)).hasSize(borne);
  }

  @ParameterizedTest
  @MethodSource("codecs")
  void whatIsLeftBearsExactlyAsManyFurtherLossesAsItsWorstPattern(ErasureCodec codec) {
    int units = codec.shape().units();
    for (UnitSet lost :
        Stream.concat(Stream.of(UnitSet.none()), Patterns.upToSize(2, units)).toList()) {
      int borne = codec.furtherLosses(lost);
      if (borne >= 0) {
        assertThat(worstOf(codec, lost, borne)).as("%s lost %s", codec, lost).isNotNegative();
      }
      assertThat(worstOf(codec, lost, borne + 1)).as("%s lost %s", codec, lost).isEqualTo(-1);
    }
  }

  /** Counted for this project: how much a stripe still bears when it has lost what it must bear. */
  @Test
  void afterFourLossesXorbasMostlyBearsMore() {
    ErasureCodec codec = Codecs.parse("lrc-xorbas-10-6");
    Map<Integer, Long> patternsByFurtherLosses =
        Patterns.ofSize(4, 16).stream()
            .collect(Collectors.groupingBy(codec::furtherLosses, Collectors.counting()));
    assertThat(patternsByFurtherLosses).isEqualTo(Map.of(2, 948L, 1, 847L, 0, 25L));
  }

  /** The least answer after {@code further} more losses: -1 when there is one that is not borne. */
  private static int worstOf(ErasureCodec codec, UnitSet lost, int further) {
    int[] left = UnitSet.all(codec.shape()).minus(lost).toArray();
    return Patterns.ofSize(further, left.length).stream()
        .map(pattern -> lost.plus(UnitSet.of(pattern.stream().map(i -> left[i]))))
        .mapToInt(codec::furtherLosses)
        .min()
        .orElse(-1);
  }

  /** Counted over all patterns, for a code may say so by mistake. */
  @ParameterizedTest
  @MethodSource("codecs")
  void aCodeThatSaysItIsMdsBearsEveryLossOfAsManyUnitsAsThereIsParity(ErasureCodec codec) {
    LinearCode code = ((LinearCodec) codec).code();
    if (code.mds()) {
      assertThat(LossTolerance.furtherLosses(counted(code), UnitSet.none()))
          .isEqualTo(code.shape().parityUnits());
    }
  }

  /** The same code, but it does not say that it is MDS. */
  static LinearCode counted(LinearCode code) {
    return new LinearCode(
        code.name(),
        code.source(),
        code.shape(),
        code.layout(),
        code.steps(),
        code.checks(),
        false);
  }

  @Test
  void aCodeThatIsMdsIsFoundToBeSoByItsColumnsToo() {
    LinearCode code = ReedSolomon.code(10, 4);
    LinearCode counted = counted(code);
    Patterns.upToSize(5, 14)
        .forEach(
            lost ->
                assertThat(LossTolerance.furtherLosses(counted, lost))
                    .as("lost %s", lost)
                    .isEqualTo(LossTolerance.furtherLosses(code, lost)));
  }

  /**
   * Every shape of the family up to 20 units, pattern by pattern up to one more than it has parity.
   */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "4-2-2", "6-2-2", "8-2-2", "10-2-2", "12-2-2", "14-2-2", "16-2-2", "6-3-2", "8-4-2",
        "12-4-2"
      })
  @Tag("full")
  void azureCodesBearWhateverTheirShapeCanBear(String shape) {
    maximallyRecoverable(Codecs.parse("lrc-azure-" + shape));
  }

  @ParameterizedTest
  @ValueSource(strings = {"lrc-azure-6-2-2", "lrc-azure-12-2-2", "lrc-azure-12-4-2"})
  void theUsualAzureCodesBearWhateverTheirShapeCanBear(String name) {
    maximallyRecoverable(Codecs.parse(name));
  }

  private static void maximallyRecoverable(ErasureCodec codec) {
    int locals = codec.shape().parityUnits() - 2;
    Patterns.upToSize(locals + 3, codec.shape().units())
        .forEach(
            lost -> {
              boolean borne = codec.furtherLosses(lost) >= 0;
              if (borne != canBeBorne(lost, codec.shape().dataUnits(), locals)) {
                throw new AssertionError("%s lost %s: borne is %s".formatted(codec, lost, borne));
              }
            });
  }

  /**
   * Section 2.2.3 of the paper: after one loss of each group, at most as many as there are globals.
   */
  private static boolean canBeBorne(UnitSet lost, int dataUnits, int locals) {
    int groupSize = dataUnits / locals;
    int left = lost.minus(UnitSet.range(0, dataUnits + locals)).size();
    for (int group = 0; group < locals; group++) {
      UnitSet members =
          UnitSet.range(group * groupSize, (group + 1) * groupSize).with(dataUnits + group);
      left += Math.max(0, lost.size() - lost.minus(members).size() - 1);
    }
    return left <= 2;
  }

  @Test
  void theXorbasSymbolsOfTheInnerCodeSumUpToZero() {
    LinearCode code = XorbasLrc.code();
    int[] sum = new int[10];
    IntStream.range(0, 14).forEach(unit -> Gf256.addMultiple(sum, 1, code.generator().row(unit)));
    assertThat(sum).containsOnly(0);
  }

  @Test
  void unitsThatDoNotExistAreRefused() {
    assertThatThrownBy(() -> Codecs.parse("rs-3-2").furtherLosses(UnitSet.of(5)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("rs-3-2 has units 0 to 4, but got {5}");
  }
}
