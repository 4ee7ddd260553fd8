package io.hdfsraid.raidnode.view;

import io.hdfsraid.raidapi.Paging;
import java.util.List;
import java.util.Optional;

/**
 * A page of a list that was made anew for this answer; its cursor is a place in the list.
 *
 * @param next empty at the end
 */
record Slice<T>(List<T> items, Optional<String> next) {

  static <T> Slice<T> of(List<T> all, Paging paging) {
    int from = paging.cursor().map(Slice::place).orElse(0);
    if (from > all.size()) {
      throw Cursors.notOne(paging.cursor().orElse(""));
    }
    int to = Math.min(all.size(), from + paging.limit());
    return new Slice<>(
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
