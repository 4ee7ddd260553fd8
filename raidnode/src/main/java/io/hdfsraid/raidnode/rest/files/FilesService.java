// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest.files;

import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidapi.Page;
import io.hdfsraid.raidapi.Paging;
import io.hdfsraid.raidapi.files.FileDetail;
import io.hdfsraid.raidapi.files.FileSummary;
import io.hdfsraid.raidapi.health.FileHealth;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.FileRecord;
import io.hdfsraid.raidnode.catalog.KnownFiles;
import io.hdfsraid.raidnode.rest.ApiFailure;
import io.hdfsraid.raidnode.rest.Cursors;
import io.hdfsraid.raidnode.rest.history.HistoryService;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** Lists the files that the daemon knows, and tells everything about one of them. */
public class FilesService {
  /**
   * Most files to look at for one page. A page may therefore be short or empty and still have a
   * next one.
   */
  private static final int LOOK = 100_000;

  private static final int HISTORY_LINES = 20;

  private final Catalog catalog;
  private final JudgedFiles files;
  private final FileSummaries views;
  private final HealthCheck health;

  /** Asks HDFS for the health of a file. */
  @FunctionalInterface
  public interface HealthCheck {
    FileHealth check(FileRecord file) throws IOException;
  }

  public FilesService(Catalog catalog, JudgedFiles files, FileSummaries views, HealthCheck health) {
    this.catalog = catalog;
    this.files = files;
    this.views = views;
    this.health = health;
  }

  /**
   * Returns a page of files in the order of inode ids.
   *
   * @param below a file, or a directory with everything below it
   * @throws ApiFailure if the cursor is invalid
   */
  public Page<FileSummary> list(String below, Optional<FileState> state, Paging paging) {
    state.ifPresent(FilesService::requireKnown);
    long after = paging.cursor().map(FilesService::inode).orElse(Long.MIN_VALUE);
    Predicate<FileRecord> wanted =
        file ->
            state.filter(one -> one != file.state()).isEmpty()
                && KnownFiles.isBelow(below, file.facts().path());
    if (state.filter(FilesService::isJudged).isEmpty() && state.isPresent()) {
      KnownFiles.Page page =
          catalog.files().page(state, wanted, Math.max(-1, after), paging.limit(), LOOK);
      return page(page.files(), page.next());
    }
    JudgedFiles.Page page = files.page(wanted, after, paging.limit(), LOOK);
    return page(page.files(), page.next());
  }

  /** Returns whether files in this state are not stored but evaluated for each answer. */
  private static boolean isJudged(FileState status) {
    return status == FileState.LEFT || status == FileState.CANDIDATE;
  }

  private Page<FileSummary> page(List<FileRecord> records, Optional<Long> next) {
    return new Page<>(
        records.stream().map(views::of).toList(), next.map(inode -> Long.toString(inode)));
  }

  /** Returns everything about one file; empty if the file is unknown. */
  public Optional<FileDetail> find(long inode) throws IOException {
    Optional<FileRecord> found = files.find(inode);
    if (found.isEmpty()) {
      return Optional.empty();
    }
    FileRecord file = found.get();
    Optional<FileHealth> howWell =
        file.parity().isPresent() ? Optional.of(health.check(file)) : Optional.empty();
    return Optional.of(
        new FileDetail(
            views.of(file),
            howWell,
            HistoryService.newest(
                catalog, outcome -> outcome.inode().equals(Optional.of(inode)), HISTORY_LINES)));
  }

  private static void requireKnown(FileState state) {
    if (state == FileState.UNKNOWN) {
      throw ApiFailure.badRequest(
          "No file has the state UNKNOWN", "Omit the parameter for any state.");
    }
  }

  private static long inode(String cursor) {
    try {
      return Long.parseLong(cursor);
    } catch (NumberFormatException e) {
      throw Cursors.notOne(cursor);
    }
  }
}
