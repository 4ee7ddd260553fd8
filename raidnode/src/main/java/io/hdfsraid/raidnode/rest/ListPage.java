// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest;

import io.hdfsraid.raidapi.Paging;
import java.util.List;
import java.util.Optional;

/**
 * A page of a list that was computed for this answer. Its cursor is an index of the list.
 *
 * @param next cursor of the next page; empty at the end
 */
public record ListPage<T>(List<T> items, Optional<String> next) {

  public static <T> ListPage<T> of(List<T> all, Paging paging) {
    int from = paging.cursor().map(ListPage::place).orElse(0);
    if (from > all.size()) {
      throw Cursors.notOne(paging.cursor().orElse(""));
    }
    int to = Math.min(all.size(), from + paging.limit());
    return new ListPage<>(
        List.copyOf(all.subList(from, to)),
        to < all.size() ? Optional.of(Integer.toString(to)) : Optional.empty());
  }

  private static int place(String cursor) {
    try {
      return Math.max(0, Integer.parseInt(cursor));
    } catch (NumberFormatException e) {
      throw Cursors.notOne(cursor);
    }
  }
}
