package io.hdfsraid.raidapi;

import java.util.List;
import java.util.Optional;

/**
 * Some items of a longer list.
 *
 * @param next the cursor to ask the following items with; empty at the end
 */
public record Page<T>(List<T> items, Optional<String> next) {
  public Page {
    items = Absent.toEmpty(items);
    next = Absent.toEmpty(next);
  }

  public static <T> Page<T> last(List<T> items) {
    return new Page<>(items, Optional.empty());
  }
}
