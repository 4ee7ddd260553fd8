package io.hdfsraid.raidnode.view;

import io.hdfsraid.raidapi.FileDetail;
import io.hdfsraid.raidapi.FileHealth;
import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidapi.FileView;
import io.hdfsraid.raidapi.Page;
import io.hdfsraid.raidapi.Paging;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.FileRecord;
import io.hdfsraid.raidnode.catalog.FileStatus;
import io.hdfsraid.raidnode.catalog.KnownFiles;
import io.hdfsraid.raidnode.rest.ApiFailure;
import io.hdfsraid.raidnode.rest.FilesView;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** The files there are. */
public final class CatalogFiles implements FilesView {
  /** A page may be short, or empty, because so many files were looked at; its cursor goes on. */
  private static final int LOOK = 100_000;

  private static final int HISTORY_LINES = 20;

  private final Catalog catalog;
  private final JudgedFiles files;
  private final FileViews views;
  private final HealthCheck health;

  /** Asks HDFS how well a file is. */
  @FunctionalInterface
  public interface HealthCheck {
    FileHealth check(FileRecord file) throws IOException;
  }

  public CatalogFiles(Catalog catalog, JudgedFiles files, FileViews views, HealthCheck health) {
    this.catalog = catalog;
    this.files = files;
    this.views = views;
    this.health = health;
  }

  @Override
  public Page<FileView> list(String below, Optional<FileState> state, Paging paging) {
    Optional<FileStatus> status = state.map(CatalogFiles::status);
    long after = paging.cursor().map(CatalogFiles::inode).orElse(Long.MIN_VALUE);
    Predicate<FileRecord> wanted =
        file ->
            status.filter(one -> one != file.status()).isEmpty()
                && KnownFiles.isBelow(below, file.facts().path());
    if (status.filter(CatalogFiles::isJudged).isEmpty() && status.isPresent()) {
      KnownFiles.Page page =
          catalog.files().page(status, wanted, Math.max(-1, after), paging.limit(), LOOK);
      return page(page.files(), page.next());
    }
    JudgedFiles.Page page = files.page(wanted, after, paging.limit(), LOOK);
    return page(page.files(), page.next());
  }

  /** Of files that nothing was done to, too. */
  private static boolean isJudged(FileStatus status) {
    return status == FileStatus.LEFT || status == FileStatus.CANDIDATE;
  }

  private Page<FileView> page(List<FileRecord> records, Optional<Long> next) {
    return new Page<>(
        records.stream().map(views::of).toList(), next.map(inode -> Long.toString(inode)));
  }

  @Override
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
            CatalogHistory.newest(
                catalog, outcome -> outcome.inode().equals(Optional.of(inode)), HISTORY_LINES)));
  }

  private static FileStatus status(FileState state) {
    if (state == FileState.UNKNOWN) {
      throw ApiFailure.badRequest("No file has the state UNKNOWN", "Leave it out for any state.");
    }
    return FileStatus.valueOf(state.name());
  }

  private static long inode(String cursor) {
    try {
      return Long.parseLong(cursor);
    } catch (NumberFormatException e) {
      throw Cursors.notOne(cursor);
    }
  }
}
