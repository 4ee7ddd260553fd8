package io.hdfsraid.raidnode.view;

import io.hdfsraid.raidapi.HistoryEntry;
import io.hdfsraid.raidapi.Page;
import io.hdfsraid.raidapi.Paging;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.History;
import io.hdfsraid.raidnode.catalog.KnownFiles;
import io.hdfsraid.raidnode.catalog.Outcome;
import io.hdfsraid.raidnode.rest.HistoryView;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** The history of the catalog. */
public final class CatalogHistory implements HistoryView {
  private static final int LOOK = 100_000;

  private final Catalog catalog;

  public CatalogHistory(Catalog catalog) {
    this.catalog = catalog;
  }

  @Override
  public Page<HistoryEntry> list(String below, Paging paging) {
    List<History.Line> lines;
    try {
      lines =
          catalog
              .history()
              .newest(
                  paging.cursor(),
                  outcome -> KnownFiles.isBelow(below, outcome.path()),
                  paging.limit(),
                  LOOK);
    } catch (IllegalArgumentException e) {
      throw Cursors.notOne(paging.cursor().orElse(""));
    }
    Optional<String> next =
        lines.size() < paging.limit()
            ? Optional.empty()
            : Optional.of(lines.get(lines.size() - 1).place());
    return new Page<>(lines.stream().map(line -> entry(line.outcome())).toList(), next);
  }

  static List<HistoryEntry> newest(Catalog catalog, Predicate<Outcome> wanted, int limit) {
    return catalog.history().newest(Optional.empty(), wanted, limit, LOOK).stream()
        .map(line -> entry(line.outcome()))
        .toList();
  }

  private static HistoryEntry entry(Outcome outcome) {
    return new HistoryEntry(
        outcome.at(),
        outcome.event(),
        outcome.inode(),
        outcome.path(),
        outcome.succeeded(),
        outcome.by(),
        outcome.detail(),
        outcome.bytesRead(),
        outcome.bytesWritten());
  }
}
