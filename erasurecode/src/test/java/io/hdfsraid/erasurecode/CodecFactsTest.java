// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.erasurecode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.hdfsraid.erasurecode.CodecFacts.UnitRepair;
import io.hdfsraid.erasurecode.codes.Codecs;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CodecFactsTest {
  private static CodecFacts facts(String codec) {
    return CodecFacts.of(Codecs.parse(codec));
  }

  @ParameterizedTest
  @CsvSource({
    "xor-10-1,         2, 11",
    "rs-6-3,           4, 3",
    "rs-10-4,          5, 4",
    "lrc-xorbas-10-6,  5, 4",
    "lrc-azure-12-2-2, 4, 6"
  })
  void aRackHoldsNoMoreUnitsThanMayBeLost(String codec, int distance, int racks) {
    CodecFacts facts = facts(codec);
    assertThat(facts.distance()).isEqualTo(distance);
    assertThat(facts.racks()).isEqualTo(racks);
    int mostInOneRack = (facts.units() + racks - 1) / racks;
    assertThat(mostInOneRack).isLessThanOrEqualTo(facts.lossesBorne());
    int mostInOneOfFewer = (facts.units() + racks - 2) / (racks - 1);
    assertThat(mostInOneOfFewer).isGreaterThan(facts.lossesBorne());
  }

  @Test
  void helpersOfALocalGroupAreReadWhole() {
    assertThat(facts("lrc-xorbas-10-6").repairs().get(7))
        .isEqualTo(new UnitRepair(5, UnitSet.of(5, 6, 8, 9, 15), UnitSet.none()));
  }

  @Test
  void mostHelpersOfLessAreReadInPart() {
    // FAST'26: k + α - 1 helpers; those of the unit's own group are read whole.
    assertThat(facts("less-10-4").repairs())
        .allSatisfy(
            repair -> {
              assertThat(repair.helpers()).isEqualTo(13);
              assertThat(repair.whole().size() + repair.parts().size() / 4.0)
                  .isEqualTo(repair.blocksRead());
            });
  }

  @Test
  void memoryIsARowOfEveryUnit() {
    assertThat(facts("rs-10-4").rowMemory()).isEqualTo(14L << 20);
    assertThat(facts("less-10-4").rowMemory()).isEqualTo(56L << 20);
  }

  @Test
  void anMdsCodeReadsTheSameForAnyNumberOfLosses() {
    assertThat(RepairCost.ofAll(Codecs.parse("rs-6-3")))
        .isEqualTo(
            List.of(
                new RepairCost(1, 9, 9, 6),
                new RepairCost(2, 36, 36, 6),
                new RepairCost(3, 84, 84, 6)));
  }

  @Test
  void twoLossesOfXorbasReadTenBlocksWhenTheyHitBothGroupsOfDataAndElseNine() {
    // 5 x 5 pairs need two local checks that have nothing in common. The other pairs of checks
    // share
    // S1 or S2, which is read once or rebuilt on the way.
    RepairCost pairs = RepairCost.of(Codecs.parse("lrc-xorbas-10-6"), 2);
    assertThat(pairs.patterns()).isEqualTo(120);
    assertThat(pairs.averageReads()).isCloseTo((25 * 10 + 95 * 9) / 120.0, within(1e-9));
  }

  @Test
  void patternsThatAreNotBorneAreNotCounted() {
    // 180 of 210: "86 %" in the paper.
    RepairCost four = RepairCost.of(Codecs.parse("lrc-azure-6-2-2"), 4);
    assertThat(four.patterns()).isEqualTo(210);
    assertThat(four.borne()).isEqualTo(180);
    assertThat(four.averageReads()).isEqualTo(6);
  }

  @Test
  void moreThanTheParityUnitsCannotBeRebuilt() {
    assertThatThrownBy(() -> RepairCost.of(Codecs.parse("rs-3-2"), 3))
        .hasMessage("A repair of rs-3-2 rebuilds 1 to 2 units, but got 3");
    assertThatThrownBy(() -> RepairCost.of(Codecs.parse("rs-3-2"), 0))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
