// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidapi;

import java.util.List;
import java.util.Optional;

/**
 * A page of a longer list.
 *
 * @param next the cursor of the next page; empty on the last page
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
