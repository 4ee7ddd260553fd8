// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest;

import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.FileRecord;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Finds the files with parity at or below the path of a request. */
public final class RaidedFiles {
  /** Most files for a request that asks HDFS about each file while the operator waits. */
  private static final int MOST = 10_000;

  /** Records of some hundred bytes, and a task for each. */
  private static final int MOST_IN_MEMORY = 100_000;

  private final Catalog catalog;
  private final Existence existence;

  /** Tells whether a file or a directory exists at a path. */
  @FunctionalInterface
  public interface Existence {
    boolean at(String path) throws IOException;
  }

  public RaidedFiles(Catalog catalog, Existence existence) {
    this.catalog = catalog;
    this.existence = existence;
  }

  /**
   * Returns the files with parity at or below a path, for requests that ask HDFS nothing while the
   * operator waits.
   *
   * @param instead what an operator can do if there are too many files to be held in memory
   * @throws ApiFailure if nothing exists at the path, or if there are too many files
   */
  public List<FileRecord> many(String path, String instead) throws IOException {
    return atMost(MOST_IN_MEMORY, path, instead);
  }

  /**
   * Returns the files with parity at or below a path, for requests that ask HDFS about each of
   * them.
   *
   * @param instead what an operator can do if there are too many files
   * @throws ApiFailure if nothing exists at the path, or if there are too many files
   */
  public List<FileRecord> few(String path, String instead) throws IOException {
    return atMost(MOST, path, instead);
  }

  private List<FileRecord> atMost(int most, String path, String instead) throws IOException {
    List<FileRecord> found = new ArrayList<>();
    catalog
        .files()
        .forEachRaidedBelow(
            path,
            file -> {
              if (found.size() == most) {
                throw ApiFailure.refused(
                    "There are more than %d raided files below %s".formatted(most, path),
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
