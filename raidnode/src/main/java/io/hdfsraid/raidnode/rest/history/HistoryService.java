// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest.history;

import io.hdfsraid.raidapi.Page;
import io.hdfsraid.raidapi.Paging;
import io.hdfsraid.raidapi.history.HistoryEntry;
import io.hdfsraid.raidapi.history.HistoryQuery;
import io.hdfsraid.raidnode.access.Person;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.History;
import io.hdfsraid.raidnode.catalog.HistoryRecord;
import io.hdfsraid.raidnode.catalog.KnownFiles;
import io.hdfsraid.raidnode.rest.ApiFailure;
import io.hdfsraid.raidnode.rest.Cursors;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** Lists the history that the catalog keeps. */
public class HistoryService {
  private static final int LOOK = 100_000;

  private final Catalog catalog;

  public HistoryService(Catalog catalog) {
    this.catalog = catalog;
  }

  /**
   * Returns a page of the history, newest first. A request looks at a limited number of lines; if
   * that ends the page, the next one goes on there.
   *
   * @throws ApiFailure if the cursor is invalid
   */
  public Page<HistoryEntry> list(HistoryQuery wanted, Paging paging) {
    try {
      History.Found found =
          catalog
              .history()
              .search(
                  paging.cursor(),
                  new History.Span(wanted.since(), wanted.until()),
                  outcome -> isWanted(wanted, outcome),
                  paging.limit(),
                  LOOK);
      return new Page<>(
          found.lines().stream().map(line -> entry(line.outcome())).toList(), found.next());
    } catch (IllegalArgumentException e) {
      throw Cursors.notOne(paging.cursor().orElse(""));
    }
  }

  private static boolean isWanted(HistoryQuery wanted, HistoryRecord outcome) {
    return KnownFiles.isBelow(wanted.below(), outcome.path())
        && (wanted.events().isEmpty() || wanted.events().contains(outcome.event()))
        && wanted.by().filter(name -> !isBy(name, outcome.by())).isEmpty();
  }

  /** Returns whether somebody of that name did it, proven or not. */
  private static boolean isBy(String name, String by) {
    return by.equals(name) || by.equals(name + Person.UNPROVEN);
  }

  public static List<HistoryEntry> newest(
      Catalog catalog, Predicate<HistoryRecord> wanted, int limit) {
    return catalog.history().newest(Optional.empty(), wanted, limit, LOOK).stream()
        .map(line -> entry(line.outcome()))
        .toList();
  }

  private static HistoryEntry entry(HistoryRecord outcome) {
    return new HistoryEntry(
        outcome.at(),
        outcome.event(),
        outcome.inode(),
        outcome.path(),
        outcome.succeeded(),
        outcome.by(),
        outcome.detail(),
        outcome.bytesRead(),
        outcome.bytesWritten(),
        outcome.cause().request(),
        outcome.cause().reason(),
        outcome.before(),
        outcome.after(),
        outcome.epoch());
  }
}
