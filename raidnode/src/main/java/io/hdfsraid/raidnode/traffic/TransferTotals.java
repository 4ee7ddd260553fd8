// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.traffic;

import io.hdfsraid.drfs.block.Distance;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** The totals of all transfers since the start. Safe for concurrent use. */
public final class TransferTotals implements TransferListener {
  private final Map<Kind, LongAdder> bytes = new ConcurrentHashMap<>();

  private record Kind(Purpose purpose, Direction direction, Distance distance) {}

  /** Bytes of one kind. */
  public record Total(Purpose purpose, Direction direction, Distance distance, long bytes) {}

  @Override
  public void transferred(Purpose purpose, Direction direction, Distance distance, long more) {
    bytes
        .computeIfAbsent(new Kind(purpose, direction, distance), kind -> new LongAdder())
        .add(more);
  }

  /** What there was any of, by purpose, direction and distance. */
  public List<Total> totals() {
    return bytes.entrySet().stream()
        .map(
            entry ->
                new Total(
                    entry.getKey().purpose(),
                    entry.getKey().direction(),
                    entry.getKey().distance(),
                    entry.getValue().sum()))
        .sorted(
            Comparator.comparing(Total::purpose)
                .thenComparing(Total::direction)
                .thenComparing(Total::distance))
        .toList();
  }
}
