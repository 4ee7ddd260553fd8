// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.erasurecode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsraid.erasurecode.codes.Codecs;
import org.junit.jupiter.api.Test;

class RowLayoutTest {
  @Test
  void chunksCoverTheUnitOnceAndInOrder() {
    for (int subUnits : new int[] {1, 2, 4}) {
      for (int chunk : new int[] {1, 3, 8}) {
        RowLayout layout = new RowLayout(subUnits, chunk);
        for (long length = 0; length <= 100; length += subUnits) {
          long at = 0;
          for (long row = 0; row < layout.rows(length); row++) {
            for (int subUnit = 0; subUnit < subUnits; subUnit++) {
              assertThat(layout.offset(row, subUnit, length)).isEqualTo(at);
              assertThat(layout.chunkLength(row, length)).isBetween(1, chunk);
              at += layout.chunkLength(row, length);
            }
          }
          assertThat(at).as("%s of %d bytes", layout, length).isEqualTo(length);
        }
      }
    }
  }

  @Test
  void unitsBeyondTwoGigabytesAreCounted() {
    RowLayout layout = new RowLayout(4, RowLayout.DEFAULT_CHUNK);
    long length = (5L << 30) + 4;
    assertThat(layout.rows(length)).isEqualTo(1281);
    assertThat(layout.offset(1280, 3, length)).isEqualTo((5L << 30) + 3);
    RebuildRecipe recipe =
        Codecs.parse("rs-3-2")
            .recipe(UnitSet.of(0), UnitSet.range(1, 5), ReadCost.UNIFORM)
            .orElseThrow();
    RowLayout plain = new RowLayout(1, RowLayout.DEFAULT_CHUNK);
    assertThat(recipe.bytesRead(1, length, length + 9, plain)).isEqualTo(length);
  }

  @Test
  void aRowIsAtMostTwoGigabytes() {
    assertThatThrownBy(() -> new RowLayout(4, 1 << 29))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("less than 2 GiB");
    assertThatThrownBy(() -> new RowLayout(0, 1)).isInstanceOf(IllegalArgumentException.class);
  }
}
