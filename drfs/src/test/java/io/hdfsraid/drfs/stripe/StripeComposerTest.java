// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.stripe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class StripeComposerTest {
  @Test
  void everyBlockIsInOneStripeInFileOrder() {
    for (int k = 1; k <= 12; k++) {
      for (int blocks = 0; blocks <= 200; blocks++) {
        assertThat(StripeComposer.compose(blocks, k).stream().flatMap(List::stream))
            .as("%d blocks, k = %d", blocks, k)
            .containsExactlyElementsOf(IntStream.range(0, blocks).boxed().toList());
      }
    }
  }

  @Test
  void thereAreAsFewStripesAsCanBeAndTheirSizesDifferByOneAtMost() {
    for (int k = 1; k <= 12; k++) {
      for (int blocks = 1; blocks <= 200; blocks++) {
        var sizes =
            StripeComposer.compose(blocks, k).stream().mapToInt(List::size).summaryStatistics();
        assertThat(sizes.getCount()).isEqualTo((blocks + k - 1) / k);
        assertThat(sizes.getMax()).isLessThanOrEqualTo(k);
        assertThat(sizes.getMax() - sizes.getMin())
            .as("%d blocks, k = %d", blocks, k)
            .isLessThanOrEqualTo(1);
      }
    }
  }

  @Test
  void elevenBlocksInTensAreSixAndFive() {
    assertThat(StripeComposer.compose(11, 10))
        .extracting(List::size)
        .containsExactlyInAnyOrder(5, 6);
  }

  @Test
  void nonsenseIsRefused() {
    assertThatThrownBy(() -> StripeComposer.compose(3, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("3 blocks in units of 0");
  }
}
