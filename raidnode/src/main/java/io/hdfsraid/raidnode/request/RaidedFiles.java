package io.hdfsraid.raidnode.request;

import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.FileRecord;
import io.hdfsraid.raidnode.rest.ApiFailure;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The files with parity that a request is about. */
public final class RaidedFiles {
  /** HDFS is asked about each while the operator waits for the plan. */
  private static final int MOST = 10_000;

  private final Catalog catalog;
  private final Existence existence;

  /** Whether there is a file or a directory at a path. */
  @FunctionalInterface
  public interface Existence {
    boolean at(String path) throws IOException;
  }

  public RaidedFiles(Catalog catalog, Existence existence) {
    this.catalog = catalog;
    this.existence = existence;
  }

  /**
   * Those at or below a path.
   *
   * @throws ApiFailure when there is nothing at that path
   */
  List<FileRecord> all(String path) throws IOException {
    List<FileRecord> found = catalog.files().raidedBelow(path);
    requireAny(found, path);
    return found;
  }

  /**
   * Likewise, for what asks HDFS about each of them.
   *
   * @param instead what may be done when there are too many
   * @throws ApiFailure when there are, too
   */
  List<FileRecord> few(String path, String instead) throws IOException {
    List<FileRecord> found = new ArrayList<>();
    catalog
        .files()
        .forEachRaidedBelow(
            path,
            file -> {
              if (found.size() == MOST) {
                throw ApiFailure.refused(
                    "There are more than %d raided files below %s".formatted(MOST, path),
                    "Ask for a smaller directory; " + instead);
              }
              found.add(file);
            });
    requireAny(found, path);
    return found;
  }

  private void requireAny(List<FileRecord> found, String path) throws IOException {
    if (found.isEmpty() && !existence.at(path)) {
      throw ApiFailure.notFound("There is nothing at " + path, "Check the path.");
    }
  }
}
