// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExternalSortTest {
  private static final int ARENA = 16 << 10;

  /** Text whose order is that of the bytes, unsigned. */
  private static final HexFormat HEX = HexFormat.of();

  @TempDir Path folder;
  private final Random random = new Random(7);

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 300, 511, 512, 513, 20_000})
  void manyRunsAreReadAsOneInOrderAsOftenAsAskedFor(int records) {
    Map<String, String> added = new TreeMap<>();
    try (ExternalSort sorter = new ExternalSort(folder, "test", 12, Runnable::run, ARENA)) {
      for (int i = 0; i < records; i++) {
        byte[] key = new byte[12];
        random.nextBytes(key);
        Arrays.fill(key, 0, random.nextInt(12), (byte) 0); // many agree in their first word
        byte[] value = "v".repeat(random.nextInt(40)).getBytes(StandardCharsets.UTF_8);
        if (added.putIfAbsent(HEX.formatHex(key), new String(value, StandardCharsets.UTF_8))
            == null) {
          sorter.add(key, value, value.length);
        }
      }
      sorter.finish();

      assertThat(sorter.records()).isEqualTo(added.size());
      for (int time = 0; time < 2; time++) {
        List<String> keys = new ArrayList<>();
        List<String> values = new ArrayList<>();
        try (ExternalSort.Sorted sorted = sorter.sorted()) {
          for (; sorted.isValid(); sorted.next()) {
            int at = sorted.keyAt();
            keys.add(HEX.formatHex(sorted.array(), at, at + 12));
            values.add(
                new String(
                    sorted.array(),
                    sorted.valueAt(),
                    sorted.valueLength(),
                    StandardCharsets.UTF_8));
          }
        }
        assertThat(keys).containsExactlyElementsOf(added.keySet());
        assertThat(values).containsExactlyElementsOf(added.values());
      }
    }
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void aRecordThatFitsNowhereIsRefused() {
    try (ExternalSort sorter = new ExternalSort(folder, "test", 8, Runnable::run, ARENA)) {
      assertThatThrownBy(() -> sorter.add(new byte[8], new byte[ARENA], ARENA))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(Integer.toString(8 + 4 + ARENA));
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {64L << 20, 256L << 20, 1L << 30, 64L << 30})
  void allThatAreFilledAtOnceTakeLessThanHalfOfTheHeap(long heap) {
    assertThat(5 * 2 * (long) ExternalSort.arenaBytes(heap)).isBetween(1L << 20, heap / 2);
  }
}
