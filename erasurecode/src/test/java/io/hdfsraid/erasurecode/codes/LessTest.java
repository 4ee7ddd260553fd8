// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.erasurecode.codes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsraid.erasurecode.CodecFacts;
import io.hdfsraid.erasurecode.ErasureCodec;
import io.hdfsraid.erasurecode.ReadCost;
import io.hdfsraid.erasurecode.RebuildRecipe;
import io.hdfsraid.erasurecode.RebuildRecipe.Chunk;
import io.hdfsraid.erasurecode.UnitSet;
import io.hdfsraid.erasurecode.algebra.CodingMatrix;
import io.hdfsraid.erasurecode.algebra.Gf256;
import io.hdfsraid.erasurecode.codes.LinearCode.LocalCheck;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LessTest {
  /** By rank of the columns of the parity-check matrix, pattern by pattern. */
  @ParameterizedTest
  @CsvSource({"less-4-2, 15", "less-6-3, 84", "less-10-4, 1001", "less-12-4, 1820"})
  void anyMUnitsMayBeLost(String name, int patterns) {
    LinearCode code = code(name);
    CodingMatrix checks = code.generator().checks();
    List<UnitSet> all = Patterns.ofSize(code.shape().parityUnits(), code.shape().units());
    assertThat(all).hasSize(patterns);
    for (UnitSet lost : all) {
      int[] columns =
          IntStream.range(0, code.chunks())
              .filter(chunk -> lost.contains(chunk / code.subUnits()))
              .toArray();
      assertThat(checks.pickColumns(columns).rank()).as("lost %s", lost).isEqualTo(columns.length);
    }
  }

  /** All 234 of them: the paper gives the largest n, and not whether all below are MDS. */
  @ParameterizedTest
  @CsvSource({
    "2, 2, 1, 125",
    "3, 2, 2, 41",
    "3, 3, 4, 37",
    "4, 2, 2, 19",
    "4, 3, 4, 13",
    "4, 4, 6, 12"
  })
  void anyMUnitsMayBeLostInEveryShapeOfTheFamily(int m, int subUnits, int leastK, int mostK) {
    for (int k = leastK; k <= mostK; k++) {
      LinearCode counted = LossToleranceTest.counted(code(name(k, m, subUnits)));
      assertThat(LossTolerance.furtherLosses(counted, UnitSet.none())).as("k = %d", k).isEqualTo(m);
    }
    assertThatThrownBy(() -> code(name(mostK + 1, m, subUnits)))
        .hasMessageContaining(
            "with %d parity units of %d sub-units there are at most %d units in all, but got %d",
            m, subUnits, mostK + m, mostK + m + 1);
    if (leastK > 1) {
      assertThatThrownBy(() -> code(name(leastK - 1, m, subUnits)))
          .hasMessageContaining("%d data units are too few", leastK - 1);
    }
  }

  /**
   * The definition once more, with the groups written out as in the paper's algorithm. A sub-stripe
   * is a Reed-Solomon code because its coefficients are distinct: in the largest shapes the powers
   * of p go round the field, so that this does not go without saying.
   */
  @ParameterizedTest
  @CsvSource({
    "less-4-2,    2, 2",
    "less-7-2,    2, 2",
    "less-6-3,    3, 14",
    "less-10-4,   4, 14",
    "less-12-4,   4, 14",
    "less-10-4-2, 2, 6",
    "less-10-4-3, 3, 2",
    "less-125-2,  2, 2",
    "less-41-3-2, 2, 50",
    "less-37-3,   3, 14",
    "less-19-4-2, 2, 6",
    "less-13-4-3, 3, 2"
  })
  void everyExtendedSubStripeFulfilsTheParityChecks(String name, int subUnits, int p) {
    LinearCode code = code(name);
    int n = code.shape().units();
    int m = code.shape().parityUnits();
    List<Integer> groups = new ArrayList<>();
    List<Integer> positions = new ArrayList<>();
    for (int z = 1; z <= subUnits + 1; z++) {
      int size = n / (subUnits + 1) + (z <= n % (subUnits + 1) ? 1 : 0);
      groups.addAll(Collections.nCopies(size, z));
      IntStream.rangeClosed(1, size).forEach(positions::add);
    }
    for (int z = 1; z <= subUnits + 1; z++) {
      List<Integer> members = new ArrayList<>();
      Set<Integer> coefficients = new HashSet<>();
      int[][] sums = new int[m][code.dataChunks()];
      for (int i = 0; i < n; i++) {
        int g = groups.get(i);
        for (int j = 1; j <= subUnits; j++) {
          if (g == z || (z <= subUnits ? j == z : j == g)) {
            int nu = Gf256.power(p, (positions.get(i) * (subUnits + 1) + g) * subUnits + j);
            int chunk = i * subUnits + j - 1;
            for (int e = 0; e < m; e++) {
              Gf256.addMultiple(sums[e], Gf256.power(nu, e), code.generator().row(chunk));
            }
            members.add(chunk);
            coefficients.add(nu);
          }
        }
      }
      assertThat(sums).as("z = %d", z).isDeepEqualTo(new int[m][code.dataChunks()]);
      assertThat(coefficients).as("z = %d", z).hasSameSizeAs(members);
      assertThat(code.checks().get(z - 1)).isEqualTo(new LocalCheck(members, m));
    }
  }

  /**
   * k + (α - 1)·|group| chunks; in blocks on average 260/56 = 4.64, 96/27 = 3.56, 348/64 = 5.44.
   */
  @ParameterizedTest
  @CsvSource({
    "less-4-2,    36,  6 6 6 6 6 6",
    "less-6-3,    96,  12 12 12 10 10 10 10 10 10",
    "less-10-4,   260, 19 19 19 19 19 19 19 19 19 19 19 19 16 16",
    "less-12-4,   348, 24 24 24 24 21 21 21 21 21 21 21 21 21 21 21 21",
    "less-6-3-2,  81,  9 9 9 9 9 9 9 9 9",
    "less-10-4-2, 206, 15 15 15 15 15 15 15 15 15 15 14 14 14 14",
    "less-10-4-3, 240, 18 18 18 18 18 18 18 18 16 16 16 16 16 16"
  })
  void aSingleLossReadsAFewChunksOfItsExtendedSubStripe(String name, int sum, String chunksByUnit) {
    ErasureCodec codec = Codecs.parse(name);
    List<Integer> chunks =
        IntStream.range(0, codec.shape().units())
            .mapToObj(unit -> single(codec, unit).reads().size())
            .toList();
    assertThat(chunks)
        .isEqualTo(Arrays.stream(chunksByUnit.split(" ")).map(Integer::valueOf).toList());
    assertThat(chunks.stream().mapToInt(Integer::intValue).sum()).isEqualTo(sum);
    assertThat(CodecFacts.of(codec).averageReads())
        .isEqualTo((double) sum / codec.subUnits() / codec.shape().units());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "less-4-2",
        "less-6-3",
        "less-10-4",
        "less-12-4",
        "less-10-4-2",
        "less-10-4-3",
        "less-6-3-2"
      })
  void aSingleLossReadsOneContiguousPieceOfEachRowOfKPlusAlphaMinusOneUnits(String name) {
    ErasureCodec codec = Codecs.parse(name);
    for (int unit = 0; unit < codec.shape().units(); unit++) {
      RebuildRecipe recipe = single(codec, unit);
      assertThat(recipe.helpers().size())
          .as("lost %d", unit)
          .isEqualTo(codec.shape().dataUnits() + codec.subUnits() - 1);
      for (int helper : recipe.helpers().toArray()) {
        List<Integer> subUnits =
            recipe.reads().stream()
                .filter(chunk -> chunk.unit() == helper)
                .map(Chunk::subUnit)
                .toList();
        assertThat(subUnits)
            .as("lost %d, helper %d", unit, helper)
            .isEqualTo(
                IntStream.range(subUnits.get(0), subUnits.get(0) + subUnits.size())
                    .boxed()
                    .toList());
      }
    }
  }

  @Test
  void itIsEncodedInOneStepForEachSubStripe() {
    LinearCode code = code("less-10-4");
    assertThat(code.steps()).hasSize(4);
    assertThat(code.steps())
        .allSatisfy(
            step -> {
              assertThat(step.outputs()).hasSize(4);
              assertThat(step.inputs()).hasSize(19);
            });
  }

  private static RebuildRecipe single(ErasureCodec codec, int unit) {
    UnitSet all = UnitSet.all(codec.shape());
    return codec.recipe(UnitSet.of(unit), all.without(unit), ReadCost.UNIFORM).orElseThrow();
  }

  private static String name(int k, int m, int subUnits) {
    return subUnits == m ? "less-%d-%d".formatted(k, m) : "less-%d-%d-%d".formatted(k, m, subUnits);
  }

  private static LinearCode code(String name) {
    return ((LinearCodec) Codecs.parse(name)).code();
  }
}
