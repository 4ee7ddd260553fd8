// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class SamplesTest {
  @Test
  void oneRoundThatWasDisturbedMovesNoMedian() {
    Samples samples = Samples.of(5, 4, 1000, 6, 3);
    assertThat(samples.median()).isEqualTo(5);
    assertThat(samples.lowerQuartile()).isEqualTo(4);
    assertThat(samples.upperQuartile()).isEqualTo(6);
  }

  @Test
  void quantilesBetweenTwoSamplesAreInProportion() {
    Samples samples = Samples.of(10, 20);
    assertThat(samples.median()).isEqualTo(15);
    assertThat(samples.lowerQuartile()).isEqualTo(12.5);
    assertThat(samples.upperQuartile()).isEqualTo(17.5);
  }

  @Test
  void aRatioIsTakenRoundByRound() {
    // The machine was slow in the second half: each median alone would say something else.
    Samples fast = Samples.of(60, 60, 6, 6, 6);
    Samples slow = Samples.of(20, 20, 2, 2, 20);
    assertThat(fast.ratioTo(slow).median()).isEqualTo(3);
    assertThat(fast.times(0.5).ratioTo(slow).median()).isEqualTo(1.5);
  }

  @Test
  void roundsThatDoNotBelongTogetherAreNotCompared() {
    assertThatThrownBy(() -> Samples.of(1, 2).ratioTo(Samples.of(1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("2 rounds cannot be compared with 1");
    assertThatThrownBy(Samples::of).hasMessage("Nothing was measured");
  }
}
