// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.erasurecode.codes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.hdfsraid.erasurecode.CodecFacts;
import io.hdfsraid.erasurecode.ErasureCodec;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CodecsTest {
  @Test
  void everyUsualCodecIsFoundByItsNameAndOnlyOnce() {
    for (ErasureCodec codec : Codecs.all()) {
      assertThat(Codecs.parse(codec.name())).isSameAs(codec);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "rs-1-1",
        "rs-128-128",
        "rs-255-1",
        "rs-vandermonde-1-1",
        "rs-vandermonde-200-56",
        "xor-1-1",
        "crs-good-1-1",
        "crs-original-20-5",
        "lrc-azure-30-2-2",
        "less-125-2",
        "less-10-4-2",
        "hitchhiker-1-2",
        "hitchhiker-128-128"
      })
  void otherShapesAreBuiltWhenAskedFor(String name) {
    assertThat(Codecs.parse(name).name()).isEqualTo(name);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "foo | no family has such a name",
        "'' | no family has such a name",
        "RS-6-3 | no family has such a name",
        "rs-6-3 x | no family has such a name",
        "rs-06-3 | without leading zeros",
        "rs-6-0 | numbers are 1 to 255",
        "rs-6--3 | no family has such a name",
        "rs-1000-3 | numbers are 1 to 255",
        "rs-255-2 | k + m <= 256, but got k=255, m=2",
        "rs-vandermonde-255-2 | k + m <= 256, but got k=255, m=2",
        "rs-cauchy-10-4 | no family has such a name",
        "xor-256-1 | k + m <= 256",
        "xor-5-2 | no family has such a name",
        "crs-10-4 | no family has such a name",
        "crs-good-250-7 | k + m <= 256, but got k=250, m=7",
        "crs-original-10-0 | numbers are 1 to 255",
        "lrc-xorbas-12-6 | no family has such a name",
        "lrc-azure-12-2-3 | coefficients are known for 2 global parities",
        "lrc-azure-13-2-2 | equal groups",
        "lrc-azure-12-1-2 | 2 or more equal groups",
        "lrc-azure-12-3-2 | need coefficients of 9 bits",
        "less-10-4-4 | with as many sub-units as parity units it is named less-10-4",
        "less-10-4-5 | coefficients are known for m = 2 to 4 parity units of 2 to m sub-units",
        "less-10-4-1 | but got m=4 and 1 sub-units",
        "less-10-5 | but got m=5 and 5 sub-units",
        "less-13-4 | at most 16 units in all, but got 17",
        "less-5-4 | 5 data units are too few: no more than the last 2 of 5 groups may hold parity",
        "hitchhiker-10-1 | it needs m >= 2, but got m=1",
        "hitchhiker-255-2 | k + m <= 256"
      })
  void whatIsNoCodecIsRefusedWithTheProblemAndTheFamilies(String name, String problem) {
    assertThatThrownBy(() -> Codecs.parse(name))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("There is no codec " + name + ": ")
        .hasMessageContaining(problem)
        .hasMessageContaining(
            "rs-K-M, rs-vandermonde-K-M, xor-K-1, crs-original-K-M, crs-good-K-M, lrc-xorbas-10-6,"
                + " lrc-azure-K-L-G, less-K-M, less-K-M-A, hitchhiker-K-M");
  }

  @ParameterizedTest
  @CsvSource({
    "xor-10-1,         1.1,    11, 1, 10",
    "rs-3-2,           1.6667,  5, 2, 3",
    "rs-6-3,           1.5,     9, 3, 6",
    "rs-10-4,          1.4,    14, 4, 10",
    "rs-vandermonde-10-4, 1.4, 14, 4, 10",
    "crs-original-10-4, 1.4,   14, 4, 10",
    "crs-good-6-3,     1.5,     9, 3, 6",
    "crs-good-10-4,    1.4,    14, 4, 10",
    "lrc-xorbas-10-6,  1.6,    16, 4, 5",
    "lrc-azure-6-2-2,  1.6667, 10, 3, 3.6",
    "lrc-azure-12-2-2, 1.3333, 16, 3, 6.75",
    "lrc-azure-12-4-2, 1.5,    18, 3, 4",
    "less-6-3,         1.5,     9, 3, 3.555555556",
    "less-10-4,        1.4,    14, 4, 4.642857143",
    "less-12-4,        1.3333, 16, 4, 5.4375",
    "hitchhiker-10-4,  1.4,    14, 4, 7.357142857"
  })
  void theFactsAreThoseOfThePapers(
      String name, double overhead, int units, int lossesBorne, double averageReads) {
    CodecFacts facts = CodecFacts.of(Codecs.parse(name));
    assertThat(facts.name()).isEqualTo(name);
    assertThat(facts.overhead()).isCloseTo(overhead, within(1e-4));
    assertThat(facts.units()).isEqualTo(units);
    assertThat(facts.lossesBorne()).isEqualTo(lossesBorne);
    assertThat(facts.averageReads()).isCloseTo(averageReads, within(1e-9));
    assertThat(facts.source()).isNotBlank();
  }

  @Test
  void everySingleLossOfXorbasReadsFiveBlocks() {
    assertThat(CodecFacts.of(Codecs.parse("lrc-xorbas-10-6")).readsByUnit())
        .hasSize(16)
        .containsOnly(5.0);
  }

  @Test
  void anAzureGlobalParityReadsAllDataAndEveryOtherUnitItsGroup() {
    assertThat(CodecFacts.of(Codecs.parse("lrc-azure-6-2-2")).readsByUnit())
        .isEqualTo(List.of(3.0, 3.0, 3.0, 3.0, 3.0, 3.0, 3.0, 3.0, 6.0, 6.0));
  }
}
