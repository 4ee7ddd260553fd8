package io.hdfsraid.raidnode.rest.history;

import io.hdfsraid.raidapi.Page;
import io.hdfsraid.raidapi.Paging;
import io.hdfsraid.raidapi.history.HistoryEntry;
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
   * Returns a page of the history, newest first.
   *
   * @param below a file, or a directory with everything below it
   * @throws ApiFailure if the cursor is invalid
   */
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
        outcome.bytesWritten());
  }
}
