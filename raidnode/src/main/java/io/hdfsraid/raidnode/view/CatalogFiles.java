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
import java.util.Optional;

/** The files of the catalog. */
public final class CatalogFiles implements FilesView {
  /** A page may be short, or empty, because so many files were looked at; its cursor goes on. */
  private static final int LOOK = 100_000;

  private static final int HISTORY_LINES = 20;

  private final Catalog catalog;
  private final FileViews views;
  private final HealthCheck health;

  /** Asks HDFS how well a file is. */
  @FunctionalInterface
  public interface HealthCheck {
    FileHealth check(FileRecord file) throws IOException;
  }

  public CatalogFiles(Catalog catalog, FileViews views, HealthCheck health) {
    this.catalog = catalog;
    this.views = views;
    this.health = health;
  }

  @Override
  public Page<FileView> list(String below, Optional<FileState> state, Paging paging) {
    KnownFiles.Page page =
        catalog
            .files()
            .page(
                state.map(CatalogFiles::status),
                file -> KnownFiles.isBelow(below, file.facts().path()),
                paging.cursor().map(CatalogFiles::inode).orElse(-1L),
                paging.limit(),
                LOOK);
    return new Page<>(
        page.files().stream().map(views::of).toList(),
        page.next().map(inode -> Long.toString(inode)));
  }

  @Override
  public Optional<FileDetail> find(long inode) throws IOException {
    Optional<FileRecord> found = catalog.files().find(inode);
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
