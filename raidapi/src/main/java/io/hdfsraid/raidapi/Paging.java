// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidapi;

import java.util.Optional;

/**
 * Selects a page of a list.
 *
 * @param limit most items to return, 1 to {@value #MAX_LIMIT}
 * @param cursor {@link Page#next()} of the page before; empty for the first page
 */
public record Paging(int limit, Optional<String> cursor) {
  public static final int DEFAULT_LIMIT = 100;
  public static final int MAX_LIMIT = 1000;

  public static final Paging FIRST = new Paging(DEFAULT_LIMIT, Optional.empty());

  public Paging {
    if (limit < 1 || limit > MAX_LIMIT) {
      throw new IllegalArgumentException(
          "limit must be 1 to %d, but is %d".formatted(MAX_LIMIT, limit));
    }
    cursor = Absent.toEmpty(cursor);
  }

  public static Paging first(int limit) {
    return new Paging(limit, Optional.empty());
  }

  public Paging after(String cursor) {
    return new Paging(limit, Optional.of(cursor));
  }
}
